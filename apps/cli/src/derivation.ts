import type { DimensionScores, ReasoningTrace, ScoreReport } from '@knowledgepulse/sdk';
import type { Provenance } from '@kp/importers';
import Table from 'cli-table3';
import type { Colors } from './colors.ts';
import { PLAIN_BORDERS, withoutPadding } from './plain-borders.ts';
import { printable } from './printable.ts';
import { provenanceLines } from './provenance-lines.ts';
import type { SourcedTrace } from './trace-source.ts';

const RULE_MEANING = {
  single_thought: 'a single thought is worth 0.1, whatever else',
  error_recovery_bonus: 'more than 2 recoveries in a run that succeeded: +0.1',
  low_tool_diversity: 'tools of one name only: −0.1',
} as const;

/** One report as a derivation that can be followed with a pencil. */
export function renderDerivation(
  report: ScoreReport,
  { trace, file, line, provenance }: SourcedTrace,
  colors: Colors,
): string {
  return [
    `${colors.bold(printable(report.traceId))}   ${colors.dim(`${file}:${line}`)}`,
    printable(firstLine(trace.task.objective)),
    '',
    `${colors.bold(`score ${report.score.toFixed(3)}`)}   profile ${profileNote(report, trace)}`,
    '',
    dimensionTable(report, trace, provenance, colors),
    '',
    ...ruleLines(report),
    ...noveltyLines(report),
    ...(provenance === undefined ? [] : provenanceLines(provenance)),
    '',
  ].join('\n');
}

function profileNote(report: ScoreReport, trace: ReasoningTrace): string {
  const domain = trace.metadata.task_domain;
  return domain === report.profile
    ? printable(report.profile)
    : `${report.profile} (there is none for the domain ${printable(JSON.stringify(domain))})`;
}

function dimensionTable(
  report: ScoreReport,
  trace: ReasoningTrace,
  provenance: Provenance | undefined,
  colors: Colors,
): string {
  const table = new Table({
    head: ['dimension', 'value', '', 'weight', '', 'adds', 'because'].map((h) => colors.dim(h)),
    colAligns: ['left', 'right', 'left', 'right', 'left', 'right', 'left'],
    chars: PLAIN_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  const because = reasons(report, trace, provenance);
  const names: readonly (readonly [keyof DimensionScores, string])[] = [
    ['complexity', 'complexity'],
    ['novelty', 'novelty'],
    ['toolDiversity', 'tool diversity'],
    ['outcomeConfidence', 'outcome confidence'],
  ];
  for (const [dimension, name] of names) {
    const value = report.dimensions[dimension].toFixed(3);
    const weight = report.weights[dimension].toFixed(2);
    table.push([
      name,
      value,
      '×',
      weight,
      '=',
      report.contributions[dimension].toFixed(3),
      because[dimension],
    ]);
  }
  table.push(['composite', '', '', '', '', colors.bold(report.composite.toFixed(3)), 'the sum']);
  return withoutPadding(table);
}

function reasons(
  report: ScoreReport,
  trace: ReasoningTrace,
  provenance: Provenance | undefined,
): Record<keyof DimensionScores, string> {
  const { stepTypes, errorRecovery, length } = report.complexity;
  const steps = trace.steps.length;
  const types = new Set(trace.steps.map(({ type }) => type)).size;
  const tools = new Set(trace.steps.flatMap(({ tool }) => (tool === undefined ? [] : [tool.name])))
    .size;
  const sum = stepTypes + errorRecovery + length;
  return {
    complexity:
      `${types} of 4 step types ${decimal(stepTypes)} + recovery ${decimal(errorRecovery)}` +
      ` + ${plural(steps, 'step')} ${decimal(length)}${sum > 1 ? ', cut to 1' : ''}`,
    novelty: noveltyReason(report),
    toolDiversity:
      tools === 0
        ? 'no tool'
        : `${plural(tools, 'tool')} in ${plural(steps, 'step')}, times 3${(tools / steps) * 3 > 1 ? ', cut to 1' : ''}`,
    outcomeConfidence: outcomeReason(trace, provenance),
  };
}

function outcomeReason({ outcome, metadata }: ReasoningTrace, provenance?: Provenance): string {
  const assumed = provenance?.confidence === 'assumed' ? ' (assumed)' : '';
  const counted = provenance?.success === 'unknown' ? 'no verdict, counted as ' : '';
  const verdict = metadata.success ? 'succeeded' : 'failed: times 0.3';
  return `confidence ${decimal(outcome.confidence)}${assumed}, ${counted}${verdict}`;
}

function noveltyReason({ novelty }: ScoreReport): string {
  switch (novelty.source) {
    case 'nearest': {
      const similarity = novelty.nearest?.similarity ?? 0;
      return `1 − ${similarity.toFixed(3)}, the similarity to the nearest of ${novelty.comparedWith ?? 'all'}`;
    }
    case 'empty_memory':
      return 'nothing to compare with yet: 0.5';
    case 'no_embedder':
      return 'no embedder: 0.5';
    case 'budget_exceeded':
      return 'the embedding was not there in time: 0.5';
    case 'embedder_failed':
      return 'the embedder failed, see below: 0.5';
  }
}

function ruleLines({ overrides }: ScoreReport): string[] {
  if (overrides.length === 0) return ['rules: none applies'];
  return [
    'rules',
    ...overrides.map(
      ({ rule, before, after }) =>
        `  ${rule}   ${before.toFixed(3)} → ${after.toFixed(3)}   ${RULE_MEANING[rule]}`,
    ),
  ];
}

function noveltyLines({ novelty }: ScoreReport): string[] {
  const lines: string[] = [];
  if (novelty.nearest !== undefined) {
    const { key, similarity } = novelty.nearest;
    lines.push(
      `nearest earlier trace: ${printable(key ?? 'one without a name')}   similarity ${similarity.toFixed(3)}`,
    );
  }
  if (novelty.failure !== undefined) lines.push(`embedder failed: ${novelty.failure.message}`);
  if (novelty.embedder !== undefined) {
    lines.push(
      `embedder: ${novelty.embedder}${novelty.truncated ? ', which left out the end of the text' : ''}`,
    );
  }
  return lines;
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length === text.length && line.length <= 160 ? line : `${line.slice(0, 160)}…`;
}

/** Up to three decimals, none that says nothing: 0.375, 0.05, 0. */
function decimal(value: number): string {
  return String(Number(value.toFixed(3)));
}

function plural(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
