import { describe, expect, it } from 'bun:test';
import { createLexicalEmbedder } from '@kp/embedder';
import { messageOf } from '@kp/foundation';
import { readProvenance } from '@kp/schema';
import { createScorer } from '@kp/scoring';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { watchScores } from '../../test/watch-scores.ts';
import type { FinishedRun } from '../run/finished-run.ts';
import type { LiveScorerOptions } from './live-options.ts';
import { createLiveScorer } from './live-scorer.ts';
import type { Outcome, ScoreUpdate } from './outcomes.ts';

const readRun = (name: string) => ({
  format: 'test',
  run: {
    source: { run: name },
    objective: `Task ${name}`,
    steps: [
      { kind: 'tool_call', name: 'look' },
      { kind: 'observation', content: name },
      { kind: 'thought', content: 'Found' },
    ] as const,
    record: null,
  },
});

function watching(change: Partial<LiveScorerOptions> = {}) {
  const updates: ScoreUpdate[] = [];
  const watched = watchScores({ onScoreUpdated: (update) => void updates.push(update), ...change });
  return { ...watched, updates, live: createLiveScorer(watched.options) };
}

describe('setOutcome', () => {
  it.each<[string, (score: { runId: string; trace: { id: string } }) => string]>([
    ['the run id of the score', ({ runId }) => runId],
    ['the id of the library', () => 'a'],
    ['the id of the trace', ({ trace }) => trace.id],
  ])('rescores a run identified by %s', async (_, nameOf) => {
    const { live, scores, updates, errors } = watching();
    live.add(() => readRun('a'), { success: true, confidence: 1 });
    await live.flush();
    const [score] = scores;
    expect(score?.runId).toBe('a');
    live.setOutcome(nameOf(score as never), { grade: 0.2, by: 'tests' });
    await live.flush();
    expect(errors).toEqual([]);
    expect(updates).toMatchObject([
      {
        runId: 'a',
        traceId: score?.trace.id,
        outcome: { grade: 0.2, by: 'tests' },
        provenance: { success: 'labelled', grade: 0.2, verdict: 'tests' },
        report: { dimensions: { outcomeConfidence: 0.3 } },
      },
    ]);
    expect(updates[0]?.report.score).toBeLessThan(score?.report.score ?? 0);
  });

  it('returns the score with the outcome and queries the memory only once', async () => {
    const scorer = createScorer({ embedder: createLexicalEmbedder() });
    let evaluations = 0;
    const counting = {
      ...scorer,
      evaluate(...args: Parameters<typeof scorer.evaluate>) {
        evaluations++;
        return scorer.evaluate(...args);
      },
    };
    const { live, updates } = watching({ scorer: counting });
    live.add(() => readRun('a'));
    await live.flush();
    live.setOutcome('a', { success: false, confidence: 0.9 });
    await live.flush();
    expect(evaluations).toBe(1);
    const other = watching({ scorer: createScorer({ embedder: createLexicalEmbedder() }) });
    other.live.add(() => readRun('a'), { success: false, confidence: 0.9 });
    await other.live.flush();
    expect(updates[0]?.report.score).toBe(other.scores[0]?.report.score as number);
  });

  it('applies to the first score if called before it', async () => {
    const { live, scores, updates } = watching();
    live.setOutcome('a', { success: false, by: 'user' });
    live.add(() => readRun('a'));
    await live.flush();
    expect(updates).toEqual([]);
    const [{ trace, provenance } = scores[0] as never] = scores;
    expect(trace.metadata.success).toBe(false);
    expect(provenance).toMatchObject({ success: 'labelled', verdict: 'user' });
    expect(readProvenance(trace)).toEqual(provenance);
  });

  it('can be corrected', async () => {
    const { live, updates } = watching();
    live.add(() => readRun('a'));
    await live.flush();
    for (const success of [false, true]) live.setOutcome('a', { success });
    await live.flush();
    expect(updates.map(({ report }) => report.dimensions.outcomeConfidence)).toEqual([0.15, 0.5]);
  });

  it('rejects and reports an invalid grade', async () => {
    const { live, updates, errors } = watching();
    live.add(() => readRun('a'));
    await live.flush();
    live.setOutcome('a', { grade: 80 });
    expect([updates, errors.map(({ subject, received }) => [subject, received])]).toEqual([
      [],
      [['outcome: grade', '80']],
    ]);
  });

  it('ignores null and undefined, which mean that no outcome is known', async () => {
    const { live, updates, errors } = watching();
    live.add(() => readRun('a'));
    await live.flush();
    for (const none of [null, undefined]) live.setOutcome('a', none as never);
    await live.flush();
    expect([updates, errors]).toEqual([[], []]);
  });

  it('keeps at most maxPending runs and as many outcomes of unknown runs', async () => {
    const { live, updates, errors } = watching({ maxPending: 3 });
    for (const name of ['a', 'b', 'c', 'd']) {
      live.add(() => readRun(name));
      await live.flush();
    }
    for (const name of ['a', 'b', 'x', 'y', 'z']) live.setOutcome(name, { success: false });
    await live.flush();
    expect(updates.map(({ runId }) => runId)).toEqual(['b']);
    expect(errors.map(({ code, received }) => [code, received])).toEqual([['RUN_UNKNOWN', 'a']]);
  });

  describe('after the timeout', () => {
    const time = useVirtualTime();

    it('changes nothing and is reported when it is discarded', async () => {
      const { live, updates, errors } = watching({ outcomeTimeoutMs: 1000 });
      live.add(() => readRun('a'));
      await live.flush();
      time.pass(1001);
      live.setOutcome('a', { success: false });
      time.pass(1001);
      live.setOutcome('b', { success: false });
      await live.flush();
      expect(updates).toEqual([]);
      expect(errors.map(({ code, received }) => [code, received])).toEqual([['RUN_UNKNOWN', 'a']]);
    });
  });
});

describe('outcomeOf', () => {
  it('applies to the first score if it returns synchronously', async () => {
    const { live, scores, updates } = watching({
      outcomeOf: ({ trace }) => ({ success: trace.task.objective === 'Task a', by: 'tests' }),
    });
    for (const name of ['a', 'b']) live.add(() => readRun(name));
    await live.flush();
    expect(scores.map(({ trace }) => trace.metadata.success)).toEqual([true, false]);
    expect(updates).toEqual([]);
  });

  it('does not delay the score if it is asynchronous', async () => {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const { promise: scored, resolve: score } = Promise.withResolvers<void>();
    const { live, updates } = watching({ outcomeOf: () => promise, onScore: () => score() });
    live.add(() => readRun('a'));
    await scored;
    resolve({ success: false, by: 'grader' });
    await live.flush();
    expect(updates).toMatchObject([{ runId: 'a', outcome: { by: 'grader' } }]);
  });

  const unreadable = {
    get grade(): never {
      throw new Error('unreadable');
    },
  };
  const invalid: readonly [unknown, string][] = [
    [true, 'outcome: expected an object, received true'],
    [['passed'], 'outcome: expected an object, received an array'],
    [{ success: 0 }, 'outcome: success: expected true or false, received 0'],
    [{ success: 'false' }, 'outcome: success: expected true or false, received "false"'],
    [{ grade: 85 }, 'outcome: grade: expected a number from 0 to 1, received 85'],
    [{ grade: Number.NaN }, 'outcome: grade: expected a number from 0 to 1, received NaN'],
    [{ grade: '0.2' }, 'outcome: grade: expected a number from 0 to 1, received "0.2"'],
    [{ confidence: 7 }, 'outcome: confidence: expected a number from 0 to 1, received 7'],
    [{ by: 5 }, 'outcome: by: expected a string, received 5'],
    [
      { sucess: false },
      'outcome: expected one of success, grade, confidence, by, received sucess (did you mean success?)',
    ],
    [
      { passed: false, by: 'tests' },
      'outcome: expected one of success, grade, confidence, by, received passed',
    ],
    [{}, 'outcome: expected one of success, grade, confidence, received none of them'],
    [
      { by: 'tests', success: undefined },
      'outcome: expected one of success, grade, confidence, received none of them',
    ],
    [unreadable, 'outcome: expected an object that can be read, received unreadable'],
  ];
  const ways: readonly [string, (outcome: unknown) => () => unknown][] = [
    ['returned', (outcome) => () => outcome],
    ['promised', (outcome) => async () => outcome],
    // biome-ignore lint/suspicious/noThenProperty: query builders have this method.
    ['a thenable', (outcome) => () => ({ then: (use: (found: unknown) => void) => use(outcome) })],
  ];

  describe.each(ways)('with an outcome that is %s', (_, wayOf) => {
    it.each(invalid)('reports %p and keeps the score without it', async (outcome, message) => {
      const outcomeOf = wayOf(outcome) as LiveScorerOptions['outcomeOf'];
      const { live, scores, updates, errors } = watching({ outcomeOf });
      live.add(() => readRun('a'));
      await live.flush();
      expect(scores.map(({ provenance }) => provenance.success)).toEqual(['assumed']);
      expect(updates).toEqual([]);
      expect(errors.map(messageOf)).toEqual([`${message}; the outcome is not used`]);
    });

    it.each([[null], [undefined]])('takes %p as no outcome', async (none) => {
      const outcomeOf = wayOf(none) as LiveScorerOptions['outcomeOf'];
      const { live, scores, updates, errors } = watching({ outcomeOf });
      live.add(() => readRun('a'));
      await live.flush();
      expect([scores.length, updates, errors]).toEqual([1, [], []]);
    });

    it('uses a valid outcome', async () => {
      const outcomeOf = wayOf({ grade: 0.2 }) as LiveScorerOptions['outcomeOf'];
      const { live, scores, updates } = watching({ outcomeOf });
      live.add(() => readRun('a'));
      await live.flush();
      expect((updates[0] ?? scores[0])?.provenance).toMatchObject({
        success: 'labelled',
        grade: 0.2,
      });
    });
  });

  it.each<[string, () => Outcome | Promise<Outcome>]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['never settles', () => new Promise<never>(() => undefined)],
  ])('that %s is named in the error, and the run keeps its score', async (_, outcomeOf) => {
    const { live, scores, updates, errors } = watching({ outcomeOf, outcomeTimeoutMs: 5 });
    live.add(() => readRun('a'));
    await live.flush();
    expect([scores.length, updates.length]).toEqual([1, 0]);
    expect(errors.map(({ code, subject }) => [code, subject])).toEqual([
      ['CALLBACK_FAILED', 'outcomeOf'],
    ]);
  });
});

describe('sample', () => {
  it.each([
    [0, []],
    [1, ['Task a', 'Task b']],
    [({ trace }) => trace.task.objective === 'Task b', ['Task b']],
  ] as [LiveScorerOptions['sample'], string[]][])(
    'of %p scores its share',
    async (sample, scored) => {
      const { live, scores } = watching({ sample });
      for (const name of ['a', 'b']) live.add(() => readRun(name));
      await live.flush();
      expect(scores.map(({ trace }) => trace.task.objective)).toEqual(scored);
    },
  );

  it('waits for a promise, which JavaScript callers may return', async () => {
    const { live, scores, errors } = watching({
      sample: (async ({ trace }: FinishedRun) => {
        if (trace.task.objective === 'Task c') throw new Error('broken');
        return trace.task.objective === 'Task b';
      }) as never,
    });
    for (const name of ['a', 'b', 'c']) live.add(() => readRun(name));
    await live.flush();
    expect(scores.map(({ trace }) => trace.task.objective)).toEqual(['Task b', 'Task c']);
    expect(errors.map(({ code, subject }) => [code, subject])).toEqual([
      ['CALLBACK_FAILED', 'sample'],
    ]);
  });

  it('scores about a tenth of the runs at 0.1', async () => {
    const { live, scores } = watching({ sample: 0.1, maxPending: 2000 });
    for (let run = 0; run < 1000; run++) live.add(() => readRun(`${run}`));
    await live.flush(60_000);
    expect(scores.length).toBeGreaterThan(40);
    expect(scores.length).toBeLessThan(180);
  });
});
