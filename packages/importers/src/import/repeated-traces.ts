import { NoAgentError } from '../errors/errors.ts';
import type { Importer } from '../importer/importer.ts';
import { readSpans } from '../spans/read-spans.ts';
import type { Gathered } from './piece-groups.ts';

interface Classified {
  readonly gathered: Gathered;
  readonly importer: unknown;
}

/**
 * Removes the traces that repeat a trace of a format that repeats its family, such as Monocle: its file
 * also holds the spans that the framework records of the same run, as a separate trace.
 *
 * @param onRepeat - called for each removed trace.
 */
export function withoutRepeats<Value extends Classified>(
  all: readonly Value[],
  onRepeat: (why: NoAgentError) => void,
): readonly Value[] {
  const repeating = all.filter(({ importer }) => traitsOf(importer).repeatsFamily === true);
  if (repeating.length === 0) return all;
  const own = repeating.map((each) => ({ ...traitsOf(each.importer), ...extentOf(each) }));
  return all.filter((each) => {
    const { family, repeatsFamily } = traitsOf(each.importer);
    if (repeatsFamily === true || own.every((run) => run.family !== family)) return true;
    const { file, from, to } = extentOf(each);
    const by = own.find(
      (run) => run.family === family && run.file === file && run.from <= from && to <= run.to,
    );
    if (by === undefined) return true;
    onRepeat(new NoAgentError('trace', `a trace that ${by.name} does not repeat`, []));
    return false;
  });
}

function traitsOf(importer: unknown): Partial<Importer> {
  return importer as Partial<Importer>;
}

function extentOf({ gathered }: Classified) {
  const spans = 'value' in gathered ? readSpans(gathered.value) : [];
  const { file } = gathered;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { start, end } of spans) {
    from = Math.min(from, start);
    to = Math.max(to, end);
  }
  return { file, from, to };
}
