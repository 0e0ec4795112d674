import { describe, expect, it } from 'bun:test';
import { createLexicalEmbedder } from '@kp/embedder';
import { createTrace } from '@kp/schema';
import { createScorer, type Scorer } from '@kp/scoring';
import {
  createEvaliteScorer,
  createEvaluator,
  createLangSmithEvaluator,
  type EvaluatedCase,
  type EvaluatorOptions,
} from './evals.ts';

const scorer = (): Scorer => createScorer({ embedder: createLexicalEmbedder() });
const messages = (question: string, answer: string) => [
  { role: 'user', content: question },
  { role: 'assistant', content: answer },
];
const CASES: readonly EvaluatedCase[] = [
  { input: 'ferry', output: messages('When does the ferry leave?', 'At noon from pier four.') },
  { input: 'again', output: messages('When does the ferry leave?', 'At noon from pier four.') },
  { input: 'bread', output: messages('How long does rye bread bake?', 'An hour at 200 degrees.') },
];

describe('createEvaluator', () => {
  it('scores cases against a fixed baseline, independent of their order', async () => {
    const base = scorer();
    const seen = createEvaluator({ scorer: base, remember: true });
    await seen({ output: messages('Where is the museum?', 'Behind the ferry pier.') });
    const evaluator = createEvaluator({ scorer: base });
    const scores = async (cases: readonly EvaluatedCase[]) =>
      new Map(
        await Promise.all(
          cases.map(async (each) => [each.input, (await evaluator(each)).score] as const),
        ),
      );
    const forward = await scores(CASES);
    const backward = await scores(CASES.toReversed());
    for (const { input } of CASES) expect(forward.get(input)).toBe(backward.get(input) as number);
    expect(forward.get('ferry')).toBe(forward.get('again') as number);
  });

  it('explains the score', async () => {
    const { name, metadata } = await createEvaluator({ scorer: scorer() })(
      CASES[0] as EvaluatedCase,
    );
    expect(name).toBe('knowledgepulse');
    expect(metadata.explanation).toMatch(
      /^0\.\d{3} by the weights of default: complexity 0\.\d\d, novelty 0\.50 \(empty memory\), tool diversity 0\.00, outcome confidence 0\.50; single thought/,
    );
    expect(metadata.success).toBe('assumed');
  });

  it.each([[undefined], [null], ['a text'], [{}], [42], [[]]])(
    'does not score %p and gives the reason',
    async (output) => {
      const { score, metadata } = await createEvaluator({ scorer: scorer() })({ output });
      expect(score).toBeNull();
      expect(metadata.reason).toMatch(/expected .* received/);
    },
  );

  it('accepts traces, AI SDK results and facts of the caller', async () => {
    const evaluator = createEvaluator({
      scorer: createScorer({ embedder: null }),
      factsOf: ({ expected }) => ({ success: expected === 'yes', confidence: 1 }),
    });
    const steps = [{ content: [{ type: 'text', text: 'Yes' }] }];
    const right = await evaluator({ input: 'Is it?', output: { steps }, expected: 'yes' });
    const wrong = await evaluator({ input: 'Is it?', output: { steps }, expected: 'no' });
    expect(right.metadata.dimensions).toMatchObject({ outcomeConfidence: 1 });
    expect(wrong.metadata.dimensions).toMatchObject({ outcomeConfidence: 0.3 });
  });

  it('applies facts of the caller to a complete trace', async () => {
    const output = createTrace({
      objective: 'Is it?',
      steps: [{ type: 'thought', content: 'Yes' }],
      success: true,
      confidence: 0.9,
    });
    const judge = (factsOf?: EvaluatorOptions['factsOf']) =>
      createEvaluator({ scorer: createScorer({ embedder: null }), factsOf })({ output });
    // A failed run has 0.3 of its outcome confidence.
    expect((await judge(async () => ({ success: false, confidence: 0.5 }))).metadata).toMatchObject(
      {
        success: 'given',
        dimensions: { outcomeConfidence: 0.15 },
      },
    );
    expect((await judge(() => ({ domain: 'code' }))).metadata).toMatchObject({
      success: 'recorded',
      profile: 'code',
      dimensions: { outcomeConfidence: 0.9 },
    });
    expect((await judge()).metadata).toMatchObject({
      success: 'recorded',
      profile: 'default',
      dimensions: { outcomeConfidence: 0.9 },
    });
    expect(output.metadata.success).toBe(true);
  });

  it('does not score a case whose facts cannot be read, and gives the reason', async () => {
    const factsOf = async () => Promise.reject(new Error('no facts'));
    const evaluator = createEvaluator({ scorer: scorer(), factsOf });
    const { score, metadata } = await evaluator(CASES[0] as EvaluatedCase);
    expect([score, metadata]).toEqual([null, { reason: 'no facts' }]);
  });

  it('rejects an invalid scorer and an unknown option immediately', () => {
    expect(() => createEvaluator({ scorer: {} as Scorer })).toThrow('scorer: expected a scorer');
    const options = { scorer: scorer(), remeber: true };
    expect(() => createEvaluator(options)).toThrow('received remeber; did you mean remember?');
  });

  it('gives no score for a fact with an unknown name', async () => {
    const steps = [{ type: 'thought' as const, content: 'At noon' }];
    const trace = createTrace({ objective: 'Go', steps, success: true, confidence: 1 });
    const factsOf = () => ({ succes: false }) as object;
    const evaluator = createEvaluator({ scorer: scorer(), factsOf });
    for (const output of [CASES[0]?.output, trace]) {
      const { score, metadata } = await evaluator({ output });
      expect([score, metadata.reason]).toEqual([null, expect.stringContaining('succes; did you')]);
    }
  });
});

describe('the evaluators of other libraries', () => {
  it('throw for evalite if there is no run, instead of returning 0', async () => {
    const { name, scorer: score } = createEvaliteScorer({ scorer: scorer(), name: 'worth' });
    expect(name).toBe('worth');
    expect((await score(CASES[0] as EvaluatedCase)).score).toBeGreaterThanOrEqual(0);
    await expect(score({ output: 'a text' })).rejects.toMatchObject({ code: 'OBJECT_UNKNOWN' });
  });

  it('return a key and a comment for LangSmith', async () => {
    const evaluator = createLangSmithEvaluator({ scorer: scorer() });
    const answer = await evaluator({
      inputs: { question: 'q' },
      outputs: { output: CASES[0]?.output },
    });
    expect(answer).toMatchObject({ key: 'knowledgepulse', score: expect.any(Number) });
    expect(answer.comment).toStartWith('0.');
    expect(await evaluator({ outputs: { messages: 'none' } })).toMatchObject({ score: null });
  });
});
