import { appendFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineCommand, type Findings, oneOf, UsageError } from '../command/define-command.ts';
import { canPin } from '../measurement/processes.ts';
import { describeMachine, renderMarkdown } from '../results/tables.ts';
import { COMPARED_ROWS, compareRows } from './compare-rows.ts';
import { comparisonParts, isRegression } from './report.ts';
import { buildPackages, withRevision } from './revision.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const IDS = COMPARED_ROWS.map(({ id }) => id);

export const command = defineCommand({
  description: `Builds another revision in a temporary worktree and measures both, in pairs of processes in turn, until each row is decided. Exit status 1 when a row got slower or larger.

Rows: ${IDS.join(', ')}`,
  options: {
    base: { type: 'string', about: 'the revision to compare the working tree with' },
    rows: { type: 'string', about: 'only these rows, comma-separated' },
    summary: { type: 'string', about: 'append the table to a file, as Markdown' },
  },
  async run(_, { base, rows: list, summary }) {
    if (base === undefined) throw new UsageError('--base', 'a revision', 'nothing');
    const rows = list?.split(',').map((id) => oneOf('--rows', IDS, id));
    return untilInterrupted((signal) => compareWithBase(base, rows, summary, signal));
  },
});

async function compareWithBase(
  revision: string,
  rows: readonly string[] | undefined,
  summary: string | undefined,
  signal: AbortSignal,
): Promise<Findings> {
  const comparison = await withRevision(
    REPOSITORY,
    revision,
    { signal, onStep: showProgress },
    async ({ root: base, commit }) => {
      showProgress('building the working tree');
      await buildPackages(REPOSITORY, signal);
      const cpu = canPin() ? 0 : undefined;
      const options = { base, head: REPOSITORY, rows, cpu, signal, onProgress: showProgress };
      return { base: revision, commit, rows: await compareRows(options) };
    },
  );
  const parts = comparisonParts(comparison);
  if (summary !== undefined) {
    const texts = parts.map((part) => (typeof part === 'string' ? part : renderMarkdown(part)));
    const page = ['## Benchmarks', ...texts, describeMachine()].join('\n\n');
    await appendFile(summary, `${page}\n`);
  }
  return { parts, document: comparison, exitCode: comparison.rows.some(isRegression) ? 1 : 0 };
}

/** Lets `work` clean up when the program is interrupted, then exits with 130. */
async function untilInterrupted(
  work: (signal: AbortSignal) => Promise<Findings>,
): Promise<Findings> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    return { parts: ['interrupted'], exitCode: 130 };
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}

/** Shows the progress: in place on a terminal, otherwise one line per step. */
function showProgress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what.slice(0, 100)}\r`);
  else if (!what.startsWith('pair ')) console.error(what);
}
