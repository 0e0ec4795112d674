import type { Importer } from '../../importer/importer.ts';
import { genAiConvention } from '../../spans/gen-ai-convention.ts';
import { openInferenceConvention, SPAN_KIND } from '../../spans/open-inference-convention.ts';
import { readSpanRuns } from '../../spans/read-span-runs.ts';
import { holdsSpans, readSpans } from '../../spans/read-spans.ts';
import { splitSpans } from '../../spans/split-spans.ts';

/**
 * Spans by OpenTelemetry's conventions for generative AI, in OTLP JSON, Tempo's batches or
 * Jaeger's JSON. One run for each agent of a trace.
 */
export const otelGenAiImporter: Importer = {
  name: 'otel-genai',
  title: 'OpenTelemetry GenAI spans (OTLP, Tempo, Jaeger)',
  detect(value) {
    if (!Array.isArray(value) || value.length === 0 || !value.every(holdsSpans)) return undefined;
    const spans = readSpans(value);
    if (spans.length === 0) return undefined;
    const isOwn = spans.some(
      (span) => genAiConvention.readModelCall(span) ?? genAiConvention.readToolExecution(span),
    );
    if (isOwn) return { seen: 'spans with gen_ai attributes', fit: 'distinct' };
    if (spans.some(({ attributes }) => SPAN_KIND in attributes)) return undefined;
    return { seen: 'spans', fit: 'possible' };
  },
  splitPieces: splitSpans,
  read: (value) => readSpanRuns(value, genAiConvention),
};

/**
 * Spans by the conventions of OpenInference, in OTLP JSON, Tempo's batches or Jaeger's JSON. One
 * run for each agent of a trace. Spans that also follow OpenTelemetry's conventions are read as those.
 */
export const openInferenceImporter: Importer = {
  name: 'openinference',
  title: 'OpenInference spans (Phoenix)',
  detect(value) {
    if (!Array.isArray(value) || value.length === 0 || !value.every(holdsSpans)) return undefined;
    const spans = readSpans(value);
    if (!spans.some(({ attributes }) => SPAN_KIND in attributes)) return undefined;
    const isBoth = spans.some((span) => genAiConvention.readModelCall(span));
    return { seen: `spans with ${SPAN_KIND}`, fit: isBoth ? 'possible' : 'distinct' };
  },
  splitPieces: splitSpans,
  read: (value) => readSpanRuns(value, openInferenceConvention),
};
