import { describe, expect, it } from 'bun:test';
import { DependencyError, messageOf } from '@kp/foundation';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { FACTS, readRun } from '../../test/scored-run.ts';
import { watchScores } from '../../test/watch-scores.ts';
import type { ScoreTarget, SentScore } from '../send/score-target.ts';
import { createLiveScorer } from './live-scorer.ts';

/** Creates a target that responds on demand. */
function slowTarget() {
  const received: SentScore[] = [];
  const answers: (() => void)[] = [];
  const target: ScoreTarget = {
    name: 'slow',
    send(score) {
      received.push(score);
      return new Promise((resolve) => answers.push(resolve));
    },
  };
  return { target, received, answers };
}

const hang = () => new Promise<never>(() => undefined);

describe('sendTo', () => {
  useVirtualTime();

  it('does not delay scores', async () => {
    const { target, received, answers } = slowTarget();
    const { options, scores, errors } = watchScores({ sendTo: target });
    const live = createLiveScorer(options);
    for (let run = 0; run < 20; run++) live.add(() => readRun(`r${run}`), FACTS);
    while (scores.length < 20) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(live.pending).toBe(0);
    expect(received).toHaveLength(8);
    const flushed = live.flush();
    for (let sent = 0; sent < 20; sent++) {
      while (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      answers.shift()?.();
    }
    await flushed;
    expect(received.map(({ runId }) => runId)).toEqual(
      Array.from({ length: 20 }, (_, run) => `r${run}`),
    );
    expect(errors).toEqual([]);
  });

  it('sends only the last of several outcomes after the current request', async () => {
    const { target, received, answers } = slowTarget();
    const { options, scores } = watchScores({ sendTo: target });
    const live = createLiveScorer(options);
    live.add(() => readRun(), FACTS);
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    for (const by of ['tests', 'user']) live.setOutcome('r1', { success: false, by });
    answers.shift()?.();
    while (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    answers.shift()?.();
    await live.flush();
    expect(scores).toHaveLength(1);
    expect(received.map(({ provenance }) => provenance.verdict)).toEqual([undefined, 'user']);
  });

  it('aborts requests that time out', async () => {
    const signals: AbortSignal[] = [];
    const target: ScoreTarget = {
      name: 'silent',
      send(_, signal) {
        signals.push(signal);
        return hang();
      },
    };
    const { options, scores, errors } = watchScores({ sendTo: target });
    const live = createLiveScorer(options);
    live.add(() => readRun(), FACTS);
    await live.flush(60_000);
    expect(scores).toHaveLength(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(errors.map(messageOf)).toEqual([
      'score of r1 for silent: expected to be sent, received no answer within 10000 ms; the score itself is not affected; check the address and the keys',
    ]);
  });

  it('is named in the error if a flush times out', async () => {
    const { options, errors } = watchScores({ sendTo: { name: 'silent', send: hang } });
    const live = createLiveScorer(options);
    live.add(() => readRun(), FACTS);
    await live.flush(100);
    expect(errors.map(({ received }) => received)).toEqual([
      '0 still pending, and scores for silent',
    ]);
  });

  it('reports a target that throws and sends to the others', async () => {
    const { target, received, answers } = slowTarget();
    const broken: ScoreTarget = {
      name: 'broken',
      send() {
        throw new Error('no route');
      },
    };
    const { options, errors } = watchScores({ sendTo: [broken, target] });
    const live = createLiveScorer(options);
    live.add(() => readRun(), FACTS);
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    answers.shift()?.();
    await live.flush();
    expect(errors.map(({ code, received: said }) => [code, said])).toEqual([
      ['SENDING_FAILED', 'no route'],
    ]);
  });

  it('accepts a target without a promise and names a missing package', async () => {
    const seen: string[] = [];
    const plain = { name: 'plain', send: ({ runId }: SentScore) => void seen.push(runId) };
    const details = { subject: 'x', expected: 'x', received: 'nothing', remedy: 'npm install x' };
    const missing: ScoreTarget = {
      name: 'missing',
      send: async () => Promise.reject(new DependencyError('DEPENDENCY_MISSING', details)),
    };
    const { options, errors } = watchScores({ sendTo: [plain as never, missing] });
    const live = createLiveScorer(options);
    live.add(() => readRun(), FACTS);
    await live.flush();
    expect(seen).toEqual(['r1']);
    expect(errors.map(({ code }) => code as string)).toEqual(['DEPENDENCY_MISSING']);
  });

  it('drops and reports scores if the queue is full', async () => {
    const { target, received } = slowTarget();
    const { options, scores, errors } = watchScores({ sendTo: target, maxPending: 10 });
    const live = createLiveScorer(options);
    for (let run = 0; run < 19; run++) {
      live.add(() => readRun(`r${run}`), FACTS);
      while (scores.length <= run) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(received).toHaveLength(8);
    expect(errors.map(({ code, expected }) => [code, expected])).toEqual([
      ['OVERLOADED', 'at most 10 scores waiting for slow'],
    ]);
  });

  it('rejects an invalid target', () => {
    const { options } = watchScores({ sendTo: 'langfuse' as never });
    expect(() => createLiveScorer(options)).toThrow('sendTo: expected a target of scores');
  });
});

describe('flush', () => {
  it('waits for the callback of a pending outcome', async () => {
    const told: string[] = [];
    const { options } = watchScores({
      outcomeOf: () => new Promise((resolve) => setTimeout(resolve, 50, { success: false })),
      async onScoreUpdated({ runId }) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        told.push(runId);
      },
    });
    const live = createLiveScorer(options);
    live.add(() => readRun());
    await live.flush();
    expect(told).toEqual(['r1']);
  });
});
