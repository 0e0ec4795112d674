import type { DimensionScores, NoveltySource, ScoreReport } from '@knowledgepulse/sdk';
import { shortId, signed } from './text.ts';

const RULES: Readonly<Record<string, string>> = {
  single_thought: 'a single thought',
  error_recovery_bonus: 'recovered more than twice',
  low_tool_diversity: 'one tool only',
};

const DIMENSIONS: readonly (readonly [keyof DimensionScores, string])[] = [
  ['complexity', 'complexity'],
  ['novelty', 'novelty'],
  ['toolDiversity', 'tool diversity'],
  ['outcomeConfidence', 'outcome'],
];

// From here on the nearest trace is close enough that a reader wants to know which one it is.
const CLOSE_SIMILARITY = 0.35;

/** What novelty may come from without a word about it. */
const UNREMARKABLE: ReadonlySet<NoveltySource> = new Set([
  'nearest',
  'corpus',
  'empty_memory',
  'no_embedder',
]);

/**
 * What moved a score, most decisive first: the rules that applied, the trace that it
 * is like, else the dimension that takes it furthest from where 0.5 in every dimension would have put it.
 */
export function movedBy(report: ScoreReport): string {
  const parts = report.overrides.map(({ rule, before, after }) => {
    return rule === 'single_thought'
      ? `${RULES[rule]} is ${after.toFixed(1)}`
      : `${signed(after - before)} ${RULES[rule] ?? rule}`;
  });
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
  for (const [dimension, name] of DIMENSIONS) {
    const change = (dimensions[dimension] - 0.5) * weights[dimension];
    if (Math.abs(change) <= furthest) continue;
    furthest = Math.abs(change);
    strongest = `${signed(change)} ${name} ${dimensions[dimension].toFixed(2)}`;
  }
  return strongest;
}
