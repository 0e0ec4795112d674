import { type ContractRule, cosine, DIMENSIONS, failureOf, rule, vectorOf } from './rule.ts';

/** Largest accepted difference from the similarity computed in float64. */
const TOLERANCE = 1e-5;

/** The rules that a scorer requires of any memory: those for `nearest`, `add` and `size`. */
export const basicMemoryContract: readonly ContractRule[] = [
  rule('is empty when it is new', async (open, expect) => {
    const { memory, size } = await open();
    const nearest = await memory.nearest(vectorOf(0));
    expect(nearest === undefined, 'nothing nearest', nearest);
    expect((await size()) === 0, 'a size of 0', await size());
  }),

  rule('returns the most similar entry with its key', async (open, expect) => {
    const { memory, size } = await open();
    const vectors = Array.from({ length: 60 }, (_, i) => vectorOf(i));
    for (const [i, vector] of vectors.entries()) await memory.add(vector, `trace ${i}`);
    expect((await size()) === 60, 'a size of 60', await size());
    for (let i = 100; i < 120; i++) {
      const query = vectorOf(i);
      const similarities = vectors.map((vector) => cosine(query, vector));
      const best = Math.max(...similarities);
      const answer = await memory.nearest(query);
      expect(
        Math.abs((answer?.similarity ?? -2) - best) <= TOLERANCE,
        `a similarity of ${best}`,
        answer,
      );
      const key = `trace ${similarities.indexOf(best)}`;
      expect(answer?.key === key, key, answer);
    }
  }),

  rule('finds the entry added last, whatever the length of its vector', async (open, expect) => {
    const { memory } = await open();
    await memory.add(vectorOf(1), 'one');
    const answer = await memory.nearest(vectorOf(1).map((value) => value * 1000));
    expect(answer?.key === 'one', 'the key "one"', answer);
    expect(Math.abs((answer?.similarity ?? 0) - 1) <= TOLERANCE, 'a similarity of 1', answer);
  }),

  rule('accepts a zero vector, which is similar to nothing', async (open, expect) => {
    const { memory } = await open();
    await memory.add(new Float32Array(DIMENSIONS), 'nothing');
    const answer = await memory.nearest(vectorOf(1));
    expect(answer === undefined || answer.similarity === 0, 'a similarity of 0', answer);
  }),

  rule('keeps a copy of the vector', async (open, expect) => {
    const { memory } = await open();
    const vector = vectorOf(1);
    const added = memory.add(vector, 'one');
    vector.fill(9);
    await added;
    const answer = await memory.nearest(vectorOf(1));
    expect((answer?.similarity ?? 0) > 1 - TOLERANCE, 'the vector as it was added', answer);
  }),

  rule('rejects vectors of another length and keeps working', async (open, expect) => {
    const { memory, size } = await open();
    await memory.add(vectorOf(1), 'one');
    const short = new Float32Array(DIMENSIONS - 1);
    for (const call of [() => memory.add(short, 'short'), () => memory.nearest(short)]) {
      const failure = await failureOf(call);
      expect(failure instanceof Error, 'an error', failure);
    }
    expect((await size()) === 1, 'a size of 1', await size());
  }),

  rule('rejects vectors that are not finite and keeps working', async (open, expect) => {
    const { memory, size } = await open();
    await memory.add(vectorOf(1), 'one');
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const failure = await failureOf(() => memory.add(vectorOf(2).fill(value, 3, 4), 'broken'));
      expect(failure instanceof Error, 'an error', failure);
    }
    expect((await size()) === 1, 'a size of 1', await size());
    const answer = await memory.nearest(vectorOf(1));
    expect(answer?.key === 'one', 'the key "one"', answer);
  }),

  rule('drops the oldest entries when it is full', async (open, expect) => {
    const { memory, size } = await open({ maxElements: 3 });
    for (let i = 0; i < 5; i++) await memory.add(vectorOf(i), `trace ${i}`);
    expect((await size()) === 3, 'a size of 3', await size());
    const gone = await memory.nearest(vectorOf(1));
    expect((gone?.similarity ?? 0) < 1 - TOLERANCE, 'trace 1 to be gone', gone);
    const kept = await memory.nearest(vectorOf(2));
    expect(kept?.key === 'trace 2', 'trace 2 to be there', kept);
  }),
];
