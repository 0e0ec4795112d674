import type { Importer, RecordedRun } from '../importer/importer.ts';

/** Task names of SWE-bench and similar benchmarks: `django__django-10914`. */
const INSTANCE = /^[A-Za-z\d][\w.-]*__[A-Za-z\d][\w.-]*-\d+$/;
const ENDINGS = /(?:\.(?:jsonl?|ndjson|traj|eval|gz|zst))+$/i;

/**
 * Adds the task from the file's path if the recording does not name one: by the rule of the format, or by
 * a folder or file named after a SWE-bench instance.
 *
 * @param file - the path of the input, if it has one.
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
