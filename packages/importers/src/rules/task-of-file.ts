import type { Importer, RecordedRun } from '../importer/importer.ts';

/** How SWE-bench and its kin name their tasks: `django__django-10914`. */
const INSTANCE = /^[A-Za-z\d][\w.-]*__[A-Za-z\d][\w.-]*-\d+$/;
const ENDINGS = /(?:\.(?:jsonl?|ndjson|traj|eval|gz|zst))+$/i;

/**
 * A run with the task that the path of its file names, if the recording names none: by the rule of
 * its format, or by a folder or file called after an instance of SWE-bench.
 *
 * @param file - the path of the input; undefined if it has none.
 */
export function withTaskOf(
  file: string | undefined,
  run: RecordedRun,
  importer: Importer,
): RecordedRun {
  if (run.task !== undefined || file === undefined) return run;
  const segments = file.split(/[\\/]/).map((segment) => segment.replace(ENDINGS, ''));
  const task =
    importer.taskOf?.(segments) ?? segments.findLast((segment) => INSTANCE.test(segment));
  return task === undefined ? run : { ...run, task, taskFrom: 'file' };
}
