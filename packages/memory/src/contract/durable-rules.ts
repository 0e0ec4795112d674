import type { MemoryAnswer } from '@kp/scoring';
import { basicMemoryContract } from './basic-rules.ts';
import { type ContractRule, entry, failureOf, rule, vectorOf } from './rule.ts';

/** The additional rules for a memory with all methods, checked with one handle. */
export const memoryContract: readonly ContractRule[] = [
  ...basicMemoryContract,

  rule(
    'compares each entry with all earlier ones, including those of the same call',
    async (open, expect) => {
      const { compare, size } = await open();
      const first = await compare([entry('a', vectorOf(1)), entry('b', vectorOf(1))]);
      expect(first.length === 2, 'one answer an entry', first);
      expect(first[0]?.nearest === undefined, 'nothing before the first', first[0]);
      expect(first[1]?.nearest?.key === 'a', 'the first before the second', first[1]);
      const [third] = await compare([entry('c', vectorOf(1))]);
      expect(third?.nearest?.key === 'a', 'the oldest of equals', third);
      expect(third?.comparedWith === 2, 'a comparison with 2', third);
      expect((await compare([])).length === 0, 'no answers for no entries', 'some');
      expect((await size()) === 3, 'a size of 3', await size());
    },
  ),

  rule('accepts concurrent calls and answers in their order', async (open, expect) => {
    const { compare } = await open();
    const calls = Array.from({ length: 400 }, (_, i) => compare([entry(`${i}`, vectorOf(i % 20))]));
    const answers = (await Promise.all(calls)).flat();
    const isNew = answers.map(({ nearest }) => (nearest?.similarity ?? 0) < 0.999999);
    const wanted = answers.map((_, i) => i < 20);
    expect(
      isNew.every((value, i) => value === wanted[i]),
      'the first 20 to be new',
      isNew,
    );
    const compared = answers.every(({ comparedWith }, i) => comparedWith === i);
    expect(
      compared,
      'each compared with all before it',
      answers.map((all) => all.comparedWith),
    );
  }),

  rule('remembers an operation once, however often it is repeated', async (open, expect) => {
    const { compare, size } = await open();
    await compare([entry('a', vectorOf(1))]);
    const again = entry('b', vectorOf(1));
    const answers: MemoryAnswer[] = [];
    for (let i = 0; i < 3; i++) answers.push(...(await compare([again])));
    answers.push(...(await compare([again, again])));
    answers.push(...(await compare([{ ...again, key: 'c' }])));
    for (const answer of answers) {
      expect(answer.nearest?.key === 'a', 'what lay before it the first time', answer);
    }
    expect((await size()) === 2, 'a size of 2', await size());
  }),

  rule('keeps two entries of one id with sameId compare', async (open, expect) => {
    const { compare, size } = await open();
    await compare([entry('a', vectorOf(1))]);
    const [answer] = await compare([entry('a', vectorOf(1))], 'compare');
    expect(answer?.nearest?.key === 'a', 'its first sight', answer);
    expect((await size()) === 2, 'a size of 2', await size());
  }),

  rule('gives a second run over the same ids the answers of the first', async (open, expect) => {
    const { compare, size } = await open();
    const run = () => Array.from({ length: 30 }, (_, i) => entry(`trace ${i}`, vectorOf(i % 7)));
    const answers: string[] = [];
    for (let i = 0; i < 3; i++) {
      const all: MemoryAnswer[] = [];
      for (const each of run()) all.push(...(await compare([each], 'replace')));
      answers.push(JSON.stringify(all));
      answers.push(JSON.stringify(await compare(run(), 'replace')));
    }
    expect(new Set(answers).size === 1, 'six equal runs', answers);
    expect((await size()) === 30, 'a size of 30', await size());
  }),

  rule('replaces the vector of an id with sameId replace', async (open, expect) => {
    const { compare, memory, size } = await open();
    await compare([entry('a', vectorOf(1)), entry('b', vectorOf(2)), entry('c', vectorOf(3))]);
    const [answer] = await compare([entry('b', vectorOf(3))], 'replace');
    expect(answer?.nearest?.key === 'a', 'a comparison with what was before it', answer);
    expect((await size()) === 3, 'a size of 3', await size());
    const old = await memory.nearest(vectorOf(2));
    expect((old?.similarity ?? 0) < 0.999, 'the old vector to be gone', old);
  }),

  rule('forgets only the given key', async (open, expect) => {
    const { compare, forget, memory, size } = await open();
    await compare([entry('a', vectorOf(1)), entry('b', vectorOf(2)), entry('a', vectorOf(3))]);
    expect((await forget('x')) === false, 'false for a key that is not there', true);
    expect((await forget('a')) === true, 'true for a key that is there', false);
    expect((await forget('a')) === false, 'false the second time', true);
    expect((await size()) === 1, 'a size of 1', await size());
    const left = await memory.nearest(vectorOf(1));
    expect(left?.key === 'b', 'the key "b"', left);
    const [again] = await compare([entry('a', vectorOf(1))], 'replace');
    expect(again?.comparedWith === 1, 'a forgotten key to be new', again);
  }),

  rule('remembers nothing of a call with an invalid entry', async (open, expect) => {
    const { compare, size } = await open();
    for (const broken of [
      entry('b', vectorOf(2).fill(Number.NaN)),
      entry('b', new Float32Array(3)),
      { ...entry('b', vectorOf(2)), key: 7 as unknown as string },
    ]) {
      const failure = await failureOf(() => compare([entry('a', vectorOf(1)), broken]));
      expect(failure instanceof Error, 'an error', failure);
    }
    expect((await size()) === 0, 'a size of 0', await size());
  }),

  rule('accepts keys in any script', async (open, expect) => {
    const { compare, memory } = await open();
    const keys = [
      "'; drop table x --",
      '航班 🛫',
      '{"a":[1]}',
      'a b  c',
      '\\x00%s',
      'é'.repeat(500),
    ];
    await compare(keys.map((key, i) => entry(key, vectorOf(i))));
    for (const [i, key] of keys.entries()) {
      const answer = await memory.nearest(vectorOf(i));
      expect(answer?.key === key, key, answer);
    }
  }),

  rule('rejects with the reason of an aborted signal', async (open, expect) => {
    const { memory } = await open();
    const signal = AbortSignal.abort(new Error('enough'));
    const failure = await failureOf(() => memory.nearest(vectorOf(1), { signal }));
    expect(String(failure).includes('enough'), 'the reason of the signal', failure);
  }),

  rule('describes itself as plain JSON', async (open, expect) => {
    const { compare, memory } = await open();
    await compare([entry('a', vectorOf(1))]);
    const stats = await memory.stats?.();
    const copy = JSON.parse(JSON.stringify(stats ?? null));
    expect(JSON.stringify(copy) === JSON.stringify(stats), 'what JSON can carry', stats);
    expect(copy?.entries === 1 && copy.dimensions === vectorOf(0).length, '1 entry', copy);
  }),

  rule('can be closed more than once, and rejects later calls', async (open, expect) => {
    const { compare, memory } = await open();
    const last = compare([entry('a', vectorOf(1))]);
    await Promise.all([memory.close?.(), memory.close?.()]);
    expect((await last).length === 1, 'what was asked before to be answered', await last);
    const failure = await failureOf(() => memory.nearest(vectorOf(1)));
    expect(failure instanceof Error, 'an error', failure);
  }),
];
