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
  LabelsError,
  type ProblemCode,
  RecordingError,
} from './errors.ts';
export { aiSdkImporter } from './formats/ai-sdk.ts';
export { aiSdkStreamImporter } from './formats/ai-sdk-stream.ts';
export { anthropicImporter } from './formats/anthropic.ts';
export { apiTrafficImporter } from './formats/api-traffic.ts';
export { atifImporter } from './formats/atif.ts';
export { bedrockConverseImporter } from './formats/bedrock-converse.ts';
export { chatDatasetImporter } from './formats/chat-dataset.ts';
export { claudeCodeImporter } from './formats/claude-code.ts';
export { claudeManagedAgentsImporter } from './formats/claude-managed-agents.ts';
export { clineImporter } from './formats/cline.ts';
export { codexImporter } from './formats/codex.ts';
export { codexExecImporter } from './formats/codex-exec.ts';
export { geminiImporter } from './formats/gemini.ts';
export { geminiCliImporter } from './formats/gemini-cli.ts';
export { googleAdkImporter } from './formats/google-adk.ts';
export { inspectImporter } from './formats/inspect.ts';
export { kpImporter } from './formats/kp.ts';
export { langChainImporter } from './formats/langchain.ts';
export { langfuseImporter } from './formats/langfuse.ts';
export { langGraphStreamImporter } from './formats/langgraph-stream.ts';
export { langSmithImporter } from './formats/langsmith.ts';
export { liveMcpBenchImporter } from './formats/live-mcp-bench.ts';
export { magenticOneImporter } from './formats/magentic-one.ts';
export { mastraImporter } from './formats/mastra.ts';
export { medAgentBenchImporter } from './formats/medagentbench.ts';
export { miniSweAgentImporter } from './formats/mini-swe-agent.ts';
export { openaiAgentsImporter } from './formats/openai-agents.ts';
export { openaiChatImporter } from './formats/openai-chat.ts';
export { openaiResponsesImporter } from './formats/openai-responses.ts';
export { openCodeImporter } from './formats/opencode.ts';
export { openHandsImporter } from './formats/openhands.ts';
export { openInferenceImporter, otelGenAiImporter } from './formats/otel.ts';
export { piImporter } from './formats/pi.ts';
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
export {
  asObjects,
  asString,
  describeJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from './json/json-value.ts';
export type { JsonLayout } from './json/layout.ts';
export type { JsonItem } from './json/line-reader.ts';
export { type ReadJsonOptions, readJsonValues } from './json/read-json-values.ts';
export { toJson } from './json/to-json.ts';
export type { LabelReport } from './label-join.ts';
export {
  type Label,
  type LabelFile,
  type LabelSet,
  type ReadLabelsOptions,
  type RunLabel,
  readLabels,
} from './labels.ts';
export { readText } from './messages/content.ts';
export {
  type Conversation,
  type ConversationRun,
  createConversation,
  toolCall,
  toolResult,
} from './messages/conversation.ts';
export { readEach, sourceIds } from './messages/message-source.ts';
export {
  type DerivedField,
  PROVENANCE_KEY,
  type Provenance,
  STEP_SOURCE_KEY,
  type StepSource,
} from './provenance.ts';
export { isRecordingName } from './recording-name.ts';
export type { ImportReport } from './run-rules.ts';
export { tracesFrom } from './traces-from.ts';
