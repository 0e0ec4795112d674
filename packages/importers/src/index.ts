export { type BuiltTrace, buildTrace, type UnlabelledTrace } from './build-trace.ts';
export { BUILT_IN_IMPORTERS } from './built-in-importers.ts';
export type { ByteSource } from './bytes/byte-source.ts';
export { gunzipIfNeeded } from './bytes/gunzip.ts';
export type { ContainedFile, Container } from './containers/container.ts';
export { MissingLibraryError } from './containers/load-library.ts';
export { detectFormat } from './detect-format.ts';
export {
  DamagedArchiveError,
  ImportError,
  type ImportProblem,
  type ProblemCode,
  RecordingError,
} from './errors.ts';
export { aiSdkImporter } from './formats/ai-sdk.ts';
export { anthropicImporter } from './formats/anthropic.ts';
export { atifImporter } from './formats/atif.ts';
export { claudeCodeImporter } from './formats/claude-code.ts';
export { inspectImporter } from './formats/inspect.ts';
export { kpImporter } from './formats/kp.ts';
export { langChainImporter } from './formats/langchain.ts';
export { miniSweAgentImporter } from './formats/mini-swe-agent.ts';
export { openaiChatImporter } from './formats/openai-chat.ts';
export { openInferenceImporter, otelGenAiImporter } from './formats/otel.ts';
export { sweAgentImporter } from './formats/swe-agent.ts';
export { tau2Importer } from './formats/tau2.ts';
export type { ImportOptions, Labels, RunFacts } from './import-options.ts';
export {
  createImportSession,
  type ImportedTrace,
  type ImportSession,
  importTraces,
} from './import-traces.ts';
export type {
  Detection,
  ErrorSign,
  FormatName,
  Importer,
  RecordedRun,
  RecordedStep,
  RecordedVerdict,
} from './importer.ts';
export type { JsonObject, JsonValue } from './json/json-value.ts';
export type { JsonLayout } from './json/layout.ts';
export type { JsonItem } from './json/line-reader.ts';
export { type ReadJsonOptions, readJsonValues } from './json/read-json-values.ts';
export type { LabelReport } from './label-join.ts';
export {
  type Label,
  type LabelFile,
  type LabelSet,
  LabelsError,
  type ReadLabelsOptions,
  type RunLabel,
  readLabels,
} from './labels.ts';
export {
  type DerivedField,
  PROVENANCE_KEY,
  type Provenance,
  STEP_SOURCE_KEY,
  type StepSource,
} from './provenance.ts';
export type { ImportReport } from './run-rules.ts';
