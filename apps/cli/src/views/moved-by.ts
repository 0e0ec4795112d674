import { labelOf, type NoveltySource, type ScoreReport } from '@knowledgepulse/sdk';
import { decimal, shortId, signed } from '../output/text.ts';

// From here on the nearest trace is close enough that a reader wants to know which one it is.
const CLOSE_SIMILARITY = 0.35;

/** What novelty may come from without a word about it. */
const UNREMARKABLE: ReadonlySet<NoveltySource> = new Set([
  'nearest',
  'corpus',
  'given',
  'empty_memory',
  'no_embedder',
]);

/**
 * What moved a score, most decisive first: the rules that applied, the trace that it
 * is like, else the dimension that takes it furthest from where 0.5 in every dimension would have put it.
 */
export function movedBy(report: ScoreReport): string {
  const parts = report.overrides.map(({ label, effect, before, after }) =>
    effect !== undefined && 'set' in effect
      ? `${label} is ${decimal(after)}`
      : `${signed(after - before)} ${label}`,
  );
  const { nearest, source } = report.novelty;
  if (nearest !== undefined && nearest.similarity >= CLOSE_SIMILARITY) {
    parts.push(
      `${nearest.similarity.toFixed(2)} like ${nearest.key === undefined ? 'an earlier trace' : shortId(nearest.key)}`,
    );
  } else if (!UNREMARKABLE.has(source)) {
    parts.push(`novelty unknown: ${source.replace('_', ' ')}`);
  }
  if (parts.length === 0) parts.push(strongestDimension(report));
  return parts.join(', ');
}

function strongestDimension({ dimensions, weights }: ScoreReport): string {
  let strongest = '';
  let furthest = -1;
  for (const [name, value] of Object.entries(dimensions)) {
    const change = (value - 0.5) * (weights[name] ?? 0);
    if (Math.abs(change) <= furthest) continue;
    furthest = Math.abs(change);
    strongest = `${signed(change)} ${labelOf(name, 'shortLabel')} ${value.toFixed(2)}`;
  }
  return strongest;
}
