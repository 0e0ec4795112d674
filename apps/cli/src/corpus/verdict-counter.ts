import type { ImportReport } from '@kp/importers';

/** Counts runs by the recorded verdicts among which the caller must choose. */
interface VerdictCounter {
  /** @param paths - undefined for a run that leaves nothing open. */
  add(paths: readonly string[] | undefined, runs: number): void;
  counts(): ImportReport['choices'];
}

export function createVerdictCounter(): VerdictCounter {
  const counts = new Map<string, ImportReport['choices'][number]>();
  return {
    add(paths, runs) {
      if (paths === undefined) return;
      const key = paths.join('\n');
      counts.set(key, { paths, runs: (counts.get(key)?.runs ?? 0) + runs });
    },
    counts: () => [...counts.values()],
  };
}
