import { describe, expect, it } from 'bun:test';
import type { ReportComparison } from '@kp/report';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { compareSets } from './compare-sets.ts';
import { drawPage } from './draw-page.ts';
import { readRecordings } from './read-recordings.ts';
import { compareRuns, scoreRuns } from './score-runs.ts';

const signal = new AbortController().signal;
const listener = { stopped: signal, onProgress: () => undefined, onProblem: () => undefined };

const chat = (thing: string, facts: object = {}): string => {
  const asked = { role: 'user', content: `Please see to the ${thing}` };
  return JSON.stringify({ messages: [asked, { role: 'assistant', content: 'Done.' }], ...facts });
};
const crash = JSON.stringify({
  ...{ kind: 'crashed', id: 'kp:trace:crash', reason: 'no such image', success: false },
  ...{ objective: 'Please see to the lamp', format: 'inspect', provenance: null },
});

async function setOf(name: string, lines: readonly string[], settings: Settings) {
  const files = lines.map((line, place) => ({ name: `${name}/${place}`, file: new Blob([line]) }));
  const read = await readRecordings(files, listener);
  const graph = await compareRuns(read, signal, () => undefined);
  return { name, read, graph, scored: await scoreRuns(read, graph, settings, signal) };
}

const withVerdict = (verdict: Settings['verdict']): Settings => ({ ...DEFAULT_SETTINGS, verdict });

describe('compareSets', () => {
  it.each([
    ['failed', 1, 0],
    ['succeeded', 0, null],
  ] as const)(
    'counts runs without a verdict as kp compare does: %s',
    async (verdict, verdicts, passRate) => {
      const settings = withVerdict(verdict);
      const base = await setOf('base', [chat('kettle', { task_id: 'a' })], settings);
      const next = await setOf('next', [chat('kettle', { task_id: 'a', success: true })], settings);
      const { beforeSet, afterSet } = compareSets(base, next);
      expect(beforeSet).toMatchObject({ verdicts, passRate } as object);
      expect(afterSet).toMatchObject({ verdicts: 1, passRate: 1 } as object);
    },
  );

  it('names a crashed run without a task after its objective, and only on a page with texts', async () => {
    const settings = withVerdict('succeeded');
    const base = await setOf('base', [chat('kettle'), crash], settings);
    const next = await setOf('next', [chat('kettle')], settings);
    const pageWith = async (texts: 'none' | 'on demand') =>
      (await drawPage({ ...next, base, settings }, texts)).comparison;
    const named = await pageWith('on demand');
    expect(named?.tasks.map(({ task }) => task)).toEqual(['Please see to the kettle']);
    expect(named?.crashed?.map(({ task }) => task)).toEqual(['Please see to the lamp']);
    const { runs: _, ...bare } = (await pageWith('none')) as ReportComparison;
    expect(bare.tasks.map(({ task }) => task)).toEqual(['unnamed task 1']);
    expect(bare.missing?.map(({ task }) => task)).toEqual(['unnamed task 2']);
    expect(bare.crashed?.map(({ task }) => task)).toEqual(['unnamed task 2']);
    expect(JSON.stringify(bare)).not.toContain('Please');
  });

  it('counts one crashed run in the singular', async () => {
    const { read } = await setOf('base', [chat('kettle'), crash], DEFAULT_SETTINGS);
    expect(read.notes).toEqual(['1 run crashed before the first step: nothing to score']);
  });
});
