import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace } from '@kp/schema';
import fc from 'fast-check';
import { traceOf } from '../../test/traces.ts';
import { createCorpusVectorizer } from './corpus-vectors.ts';
import {
  createMessageCounter,
  mergeMessageTasks,
  recurringMessages,
  remainingMessages,
  runMessages,
} from './recurring-messages.ts';

const NUDGE = 'You have read a lot without editing.';

function said(content: string, role = 'user'): object {
  return { type: 'observation', content, 'kp:source': { role } };
}

/** The remaining messages of each run, with the text of its objective. */
async function remainingOf(runs: readonly (readonly [ReasoningTrace, string | undefined])[]) {
  const counter = createMessageCounter();
  const messages = [];
  for (const [trace, task] of runs) messages.push(await counter.add(trace, task));
  const recurring = recurringMessages(counter.tasks());
  return messages.map((own) => {
    const { objective, leftOut } = remainingMessages(own, recurring);
    return { objective, leftOut: [...leftOut] };
  });
}

const WHOLE = { objective: 0, leftOut: [] };

describe('recurringMessages', () => {
  it('omits a message that occurs in runs of three tasks, at any position', async () => {
    const runs = await remainingOf([
      [traceOf(NUDGE, [said('Fix the parser')]), 'a'],
      [traceOf(NUDGE), 'b'],
      [traceOf('Rename the field', [said(`${NUDGE}\n`)]), 'c'],
      [traceOf('Rename the field'), 'c'],
    ]);
    expect(runs).toEqual([
      { objective: 1, leftOut: [0] },
      { objective: undefined, leftOut: [0] },
      { objective: 0, leftOut: [1] },
      WHOLE,
    ]);
  });

  it('keeps the messages of one task, of two tasks, and of runs without a task', async () => {
    const task = traceOf('Fix the parser');
    expect(await remainingOf(Array.from({ length: 9 }, () => [task, 'a']))).toEqual(
      Array(9).fill(WHOLE),
    );
    expect(await remainingOf([['a'], ['b']].map(([name]) => [task, name]))).toEqual(
      Array(2).fill(WHOLE),
    );
    expect(await remainingOf(Array.from({ length: 9 }, () => [task, undefined]))).toEqual(
      Array(9).fill(WHOLE),
    );
  });

  it('applies to runs without a task once other runs are evidence', async () => {
    const runs = await remainingOf(
      ['a', 'b', 'c', undefined].map((name) => [traceOf(NUDGE), name]),
    );
    expect(runs[3]).toEqual({ objective: undefined, leftOut: [0] });
  });

  it('uses only messages of users as the next objective', async () => {
    const run = traceOf(NUDGE, [said('exit code 0', 'terminal'), said(' '), said('Fix it')]);
    const runs = await remainingOf(['a', 'b', 'c'].map((name) => [traceOf(NUDGE), name]));
    expect(runs[0]?.objective).toBeUndefined();
    const [first] = await remainingOf([
      [run, 'a'],
      [traceOf(NUDGE), 'b'],
      [traceOf(NUDGE), 'c'],
    ]);
    expect(first).toEqual({ objective: 3, leftOut: [0] });
  });

  it('does not count an objective that the caller gave, or that is not recorded', async () => {
    for (const objective of ['given', 'unknown']) {
      const trace = { ...traceOf('same'), 'kp:provenance': { success: 'recorded', objective } };
      const runs = await remainingOf(['a', 'b', 'c'].map((name) => [trace, name]));
      expect(runs).toEqual(Array(3).fill(WHOLE));
    }
  });

  it('accepts hostile names of tasks and texts of messages', async () => {
    for (const text of ['__proto__', 'constructor', '\ud800', '\0']) {
      const runs = await remainingOf(
        ['__proto__', 'toString', ''].map((name) => [traceOf(text), name]),
      );
      expect(runs[0]).toEqual({ objective: undefined, leftOut: [0] });
    }
    expect(recurringMessages(JSON.parse('{"__proto__":["a","b","c"]}'))).toEqual(
      new Set(['__proto__']),
    );
  });

  it('is the same for merged parts of a corpus, in any order', async () => {
    const run = fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.constantFrom('1', '2', '3', '4', '5', undefined),
      fc.nat(2),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 30 }), async (runs) => {
        const whole = createMessageCounter();
        const parts = [createMessageCounter(), createMessageCounter(), createMessageCounter()];
        for (const [text, task, part] of runs) {
          await whole.add(traceOf(text), task);
          await parts[part]?.add(traceOf(text), task);
        }
        const merged = mergeMessageTasks(parts.toReversed().map((part) => part.tasks()));
        expect(sorted(merged)).toEqual(sorted(whole.tasks()));
        // Independent of the counter: all tasks of each text, without a limit.
        const texts = new Map<string, Set<string>>();
        for (const [text, task] of runs) {
          const tasks = texts.get(text) ?? new Set();
          texts.set(text, task === undefined ? tasks : tasks.add(task));
        }
        const expected = [...texts].filter(([, tasks]) => tasks.size >= 3);
        expect(recurringMessages(merged).size).toBe(expected.length);
      }),
    );
  });
});

describe('corpus vectors of what remains', () => {
  it('equal those of the traces without the messages', async () => {
    const call = { type: 'tool_call', tool: { name: 'edit' }, input: { path: 'parser.ts' } };
    const full = [
      traceOf(NUDGE, [said('Fix the parser'), call]),
      traceOf(NUDGE, [call]),
      traceOf('Rename the field', [said(NUDGE), said('and its tests')]),
    ];
    const bare = [
      traceOf('Fix the parser', [call]),
      traceOf('', [call]),
      traceOf('Rename the field', [said('and its tests')]),
    ];
    const counter = createMessageCounter();
    for (const [run, trace] of full.entries()) await counter.add(trace, `task ${run}`);
    const recurring = recurringMessages(counter.tasks());
    const messages = await Promise.all(full.map(runMessages));
    const remaining = messages.map((own) => remainingMessages(own, recurring));
    const [ofFull, ofBare] = [full, bare].map((traces, at) => {
      const vectorizer = createCorpusVectorizer();
      for (const trace of traces) vectorizer.add(trace);
      return vectorizer.vectors(at === 0 ? (run) => remaining[run] : undefined).rows;
    });
    expect(ofFull?.map(({ values }) => [...values])).toEqual(
      ofBare?.map(({ values }) => [...values]),
    );
  });
});

function sorted(tasks: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(tasks).sort(([a], [b]) => (a < b ? -1 : 1));
}
