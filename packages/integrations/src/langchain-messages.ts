import type { RecordedStep } from '@kp/importers';
import { asText, isObject, toolCallStep } from './run/json-values.ts';

/** Of a tool by itself; what is called through a graph has its name on the run. */
export function toolName(tool: unknown): string {
  return (isObject(tool) && asText(tool.name ?? lastOf(tool.id))) || 'tool';
}

/** The message that a model answered with, of what LangChain hands over at its end. */
export function answerOf(output: unknown): unknown {
  const generations: unknown = isObject(output) ? output.generations : undefined;
  const first: unknown = Array.isArray(generations) ? generations[0] : undefined;
  const generation: unknown = Array.isArray(first) ? first[0] : first;
  if (!isObject(generation)) return undefined;
  return generation.message ?? { content: generation.text };
}

/** What a model thought and the tools that it asked for, as steps. */
export function answerSteps(message: unknown): RecordedStep[] {
  if (!isObject(message)) return [];
  const content = contentText(message.content);
  const thought: RecordedStep[] = content.trim() === '' ? [] : [{ kind: 'thought', content }];
  const calls = callsOf(message).map(({ name, args, id }) => toolCallStep(name, args, id));
  return [...thought, ...calls];
}

/** The tools that a message asks for. */
export function callsOf(message: unknown): Readonly<Record<string, unknown>>[] {
  const calls: unknown = isObject(message) ? message.tool_calls : undefined;
  return Array.isArray(calls) ? calls.filter(isObject) : [];
}

/** What the user asked for last, of what an outermost chain or model was given. */
export function lastQuestion(inputs: unknown): string | undefined {
  if (typeof inputs === 'string') return inputs;
  if (!isObject(inputs)) return undefined;
  const messages = Array.isArray(inputs.messages) ? inputs.messages : [];
  const question = messages.findLast((message) => /^(?:human|user)$/.test(roleOf(message)));
  if (isObject(question)) return contentText(question.content);
  if (Array.isArray(question)) return asText(question[1]);
  const text = inputs.input ?? inputs.question ?? inputs.query ?? lastOf(messages);
  return typeof text === 'string' ? text : undefined;
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [];
  return parts
    .flatMap((part) =>
      isObject(part) ? (part.text ?? part.thinking ?? part.reasoning ?? []) : part,
    )
    .map(asText)
    .join('\n');
}

function roleOf(message: unknown): string {
  if (Array.isArray(message)) return asText(message[0]);
  if (!isObject(message)) return '';
  const kind: unknown = message.role ?? message.type ?? message._type;
  if (typeof kind === 'string') return kind;
  const ask: unknown = message.getType ?? message._getType;
  return typeof ask === 'function' ? asText(ask.call(message)) : '';
}

function lastOf(list: unknown): unknown {
  return Array.isArray(list) ? list.at(-1) : undefined;
}
