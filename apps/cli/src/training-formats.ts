import type { ReasoningTrace, ReasoningTraceStep } from '@knowledgepulse/sdk';
import { type JsonObject, type JsonValue, STEP_SOURCE_KEY, type StepSource } from '@kp/importers';
import type { Run } from './run.ts';
import { jsonText } from './text.ts';

/** What a selection can be written as, one run a line. */
export const TRAINING_FORMATS = ['native', 'kp', 'openai', 'sharegpt', 'parquet'] as const;
export type TrainingFormat = (typeof TRAINING_FORMATS)[number];

/** A run as one line of JSON. Rows of `parquet` are made of what `openai` writes. */
export function writeRun(run: Run, format: TrainingFormat): string {
  if (format === 'native') return jsonText(run.record).trimEnd();
  if (format === 'kp') return jsonText(run.trace).trimEnd();
  const tools = toolsOf(run.record);
  return JSON.stringify(
    format === 'sharegpt'
      ? { conversations: toShareGpt(run.trace), tools: tools && JSON.stringify(tools) }
      : { messages: toMessages(run.trace), tools },
  );
}

/** Whether a line of `openai` or `sharegpt` calls tools without saying what these take. */
export function lacksToolSchemas(line: string): boolean {
  const {
    messages = [],
    conversations = [],
    tools,
  } = JSON.parse(line) as {
    messages?: readonly { readonly tool_calls?: unknown }[];
    conversations?: readonly { readonly from: string }[];
    tools?: unknown;
  };
  if (tools !== undefined) return false;
  return (
    messages.some(({ tool_calls }) => tool_calls !== undefined) ||
    conversations.some(({ from }) => from === 'function_call')
  );
}

/** Schemas of tools, where recordings of chats keep them. */
function toolsOf(record: JsonValue): readonly JsonValue[] | undefined {
  if (!isObject(record)) return undefined;
  const places = [record.tools, field(record.request, 'tools'), field(record.info, 'tools')];
  return places.find((tools): tools is JsonValue[] => Array.isArray(tools) && tools.length > 0);
}

type ChatMessage = Readonly<Record<string, unknown>>;

/** Chat messages as OpenAI has them; the calls of one turn are one message. */
function toMessages(trace: ReasoningTrace): ChatMessage[] {
  const messages: ChatMessage[] = [{ role: 'user', content: trace.task.objective }];
  const open: string[] = [];
  for (const step of trace.steps) {
    const source = sourceOf(step);
    if (step.tool !== undefined && step.type !== 'observation') {
      const id = source?.call_id ?? `call_${step.step_id}`;
      open.push(id);
      messages.push({ role: 'assistant', content: null, tool_calls: [toolCall(id, step)] });
    } else if (step.type !== 'observation') {
      messages.push({ role: 'assistant', content: textOf(step) });
    } else if (source?.role !== undefined || open.length === 0) {
      messages.push({ role: 'user', content: textOf(step) });
    } else {
      const at = source?.call_id === undefined ? 0 : Math.max(0, open.indexOf(source.call_id));
      const [id] = open.splice(at, 1);
      messages.push({ role: 'tool', tool_call_id: id, content: textOf(step) });
    }
  }
  return joinCalls(messages);
}

function toolCall(id: string, step: ReasoningTraceStep): ChatMessage {
  const { name = '' } = step.tool ?? {};
  return { id, type: 'function', function: { name, arguments: JSON.stringify(step.input ?? {}) } };
}

/** A call that follows what the agent said, or another call, belongs to the same message. */
function joinCalls(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== 'assistant' || message.tool_calls === undefined) {
      joined.push(message);
      continue;
    }
    const calls = [last.tool_calls ?? [], message.tool_calls].flat();
    joined[joined.length - 1] = { ...last, tool_calls: calls };
  }
  return joined;
}

function toShareGpt({ task, steps }: ReasoningTrace): readonly { from: string; value: string }[] {
  return [
    { from: 'human', value: task.objective },
    ...steps.map((step) => {
      if (step.tool !== undefined && step.type !== 'observation') {
        const call = { name: step.tool.name, arguments: step.input ?? {} };
        return { from: 'function_call', value: JSON.stringify(call) };
      }
      if (step.type !== 'observation') return { from: 'gpt', value: textOf(step) };
      const from = sourceOf(step)?.role === undefined ? 'observation' : 'human';
      return { from, value: textOf(step) };
    }),
  ];
}

function textOf({ content, output_summary }: ReasoningTraceStep): string {
  return content ?? output_summary ?? '';
}

function sourceOf(step: ReasoningTraceStep): StepSource | undefined {
  return step[STEP_SOURCE_KEY] as StepSource | undefined;
}

function field(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
