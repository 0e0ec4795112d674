export { DamagedArchiveError } from './archive/damaged-archive-error.ts';
export { gunzipIfNeeded } from './archive/gunzip.ts';
export { type BuiltTrace, buildTrace, type UnlabelledTrace } from './build-trace.ts';
export { BUILT_IN_IMPORTERS } from './built-in-importers.ts';
export { detectFormat } from './detect-format.ts';
export { aiSdkImporter } from './formats/ai-sdk.ts';
export { anthropicImporter } from './formats/anthropic.ts';
export { atifImporter } from './formats/atif.ts';
export { claudeCodeImporter } from './formats/claude-code.ts';
export { inspectImporter } from './formats/inspect.ts';
export { kpImporter } from './formats/kp.ts';
export { langChainImporter } from './formats/langchain.ts';
export { miniSweAgentImporter } from './formats/mini-swe-agent.ts';
export { openaiChatImporter } from './formats/openai-chat.ts';
export { openInferenceImporter } from './formats/openinference.ts';
export { otelGenAiImporter } from './formats/otel-genai.ts';
export { sweAgentImporter } from './formats/swe-agent.ts';
export { tau2Importer } from './formats/tau2.ts';
export type { ImportOptions, Label, Labels, RunFacts } from './import-options.ts';
export { type ImportedTrace, importTraces } from './import-traces.ts';
export type { Detection, FormatName, Importer } from './importer.ts';
export type { ByteSource } from './json/byte-source.ts';
export type { JsonItem } from './json/json-item.ts';
export type { JsonObject, JsonValue } from './json/json-value.ts';
export type { JsonLayout } from './json/layout.ts';
export { type ReadJsonOptions, readJsonValues } from './json/read-json-values.ts';
export type { ImportProblem, ProblemCode } from './problem.ts';
export {
  type DerivedField,
  PROVENANCE_KEY,
  type Provenance,
  STEP_SOURCE_KEY,
  type StepSource,
} from './provenance.ts';
export type { ErrorSign, RecordedRun, RecordedStep } from './recorded-run.ts';
export { RecordingError } from './recording-error.ts';
