import { describe, expect, it } from 'bun:test';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { VectorCache } from '@kp/vector-cache';
import fc from 'fast-check';
import { quick, unlimited } from '../../test/slow-parts.ts';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import { traceWith } from '../../test/traces.ts';
import type { ScoreReport } from '../formula/score-report.ts';
import { createScorer } from './scorer.ts';

useVirtualTime();

const derivation = ({ elapsedMs: _, withinBudget: __, ...report }: ScoreReport) => report;

describe('call order', () => {
  const traces = Array.from({ length: 1000 }, (_, index) =>
    traceWith({ id: `kp:trace:${index}`, objective: `task ${index % 300}` }),
  );

  it('gives 1,000 concurrent calls the reports of 1,000 sequential calls', async () => {
    const slow = standInEmbedder(16, (text) =>
      later(Math.random() * 30, () => hashedVector(text, 16)),
    );
    const concurrent = createScorer({ embedder: slow, ...unlimited });
    const together = await Promise.all(traces.map((trace) => concurrent.evaluate(trace)));
    const inTurn = createScorer({ embedder: quick(), ...unlimited });
    const alone: ScoreReport[] = [];
    for (const trace of traces) alone.push(await inTurn.evaluate(trace));
    expect(together.map(derivation)).toEqual(alone.map(derivation));
  });

  it('is kept if the embedder writes each vector into the same buffer', async () => {
    const buffer = new Float32Array(16);
    const reusing = standInEmbedder(16, (text) =>
      later(Math.random() * 30, () => {
        buffer.set(hashedVector(text, 16));
        return buffer;
      }),
    );
    const concurrent = createScorer({ embedder: reusing, ...unlimited });
    const some = traces.slice(0, 50);
    const together = await Promise.all(some.map((trace) => concurrent.evaluate(trace)));
    const inTurn = createScorer({ embedder: quick(), ...unlimited });
    for (const [index, trace] of some.entries()) {
      const alone = await inTurn.evaluate(trace);
      expect(derivation(together[index] as ScoreReport)).toEqual(derivation(alone));
    }
  });

  it('applies to any mix of evaluate, score and remember, and to an asynchronous memory', async () => {
    const kind = fc.constantFrom('evaluate', 'score', 'remember');
    const calls = fc.array(fc.tuple(kind, fc.nat(6), fc.nat(8)), { minLength: 2, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(calls, async (list) => {
        const latency = new Map(list.map(([, topic, ms]) => [`task ${topic}`, ms]));
        const trace = (topic: number) => ({
          ...traceWith({
            objective: `task ${topic}`,
            steps: [{ step_id: 0, type: 'thought' as const }],
          }),
        });
        const slow = standInEmbedder(16, (text) =>
          later(latency.get(text) ?? 0, () => hashedVector(text, 16)),
        );
        const cache = new VectorCache({ dimensions: 16, maxElements: 3 });
        const late = {
          get size() {
            return later(1, () => cache.size);
          },
          nearest: (vector: Float32Array) => later(1, () => cache.nearest(vector)),
          add: (vector: Float32Array, key: string) => later(1, () => cache.add(vector, key)),
        };
        const concurrent = createScorer({ embedder: slow, memory: late, ...unlimited });
        const inTurn = createScorer({
          embedder: quick(),
          memory: new VectorCache({ dimensions: 16, maxElements: 3 }),
          ...unlimited,
        });
        const together = await Promise.all(
          list.map(([call, topic]) => concurrent[call as 'score'](trace(topic))),
        );
        for (const [index, [call, topic]] of list.entries()) {
          const alone = await inTurn[call as 'score'](trace(topic));
          const other = together[index];
          if (alone === undefined || other === undefined) expect(other).toBe(alone);
          else expect(derivation(other)).toEqual(derivation(alone));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('reads the trace at the call, so changing it later has no effect', async () => {
    const trace = traceWith({ steps: [{ step_id: 0, type: 'observation', content: 'x' }] });
    const pending = createScorer({ embedder: quick() }).evaluate(trace);
    trace.steps.push({ step_id: 1, type: 'thought', tool: { name: 'y' } });
    trace.outcome.confidence = 0;
    expect((await pending).dimensions).toMatchObject({ toolDiversity: 0, outcomeConfidence: 0.92 });
  });
});
