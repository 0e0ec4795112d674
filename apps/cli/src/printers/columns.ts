import type { ScoredTrace } from '../score-stream.ts';

/** The columns of tables that other programs read, and what a scored trace has there. */
export const COLUMNS: readonly (readonly [name: string, value: (scored: ScoredTrace) => string])[] =
  [
    ['trace', ({ report }) => report.traceId],
    ['score', ({ report }) => String(report.score)],
    ['profile', ({ report }) => report.profile],
    ['complexity', ({ report }) => String(report.dimensions.complexity)],
    ['novelty', ({ report }) => String(report.dimensions.novelty)],
    ['tool_diversity', ({ report }) => String(report.dimensions.toolDiversity)],
    ['outcome_confidence', ({ report }) => String(report.dimensions.outcomeConfidence)],
    ['composite', ({ report }) => String(report.composite)],
    ['rules', ({ report }) => report.overrides.map(({ rule }) => rule).join(' ')],
    ['novelty_source', ({ report }) => report.novelty.source],
    ['nearest', ({ report }) => report.novelty.nearest?.key ?? ''],
    ['similarity', ({ report }) => String(report.novelty.nearest?.similarity ?? '')],
    ['success_from', ({ source }) => source.provenance?.success ?? 'recorded'],
    ['confidence_from', ({ source }) => source.provenance?.confidence ?? 'recorded'],
    ['format', ({ source }) => source.format],
    ['file', ({ source }) => source.file],
    ['line', ({ source }) => String(source.line)],
  ];
