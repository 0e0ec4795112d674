import type { ReasoningTrace, ReasoningTraceStep } from '@knowledgepulse/sdk';
import { STEP_SOURCE_KEY, type StepSource } from '@kp/importers';
import type { Run } from '../runs/run.ts';
import { systemPromptOf, toolsOf } from './recorded-context.ts';

/** A tool call with its arguments as JSON. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A turn of a conversation, independent of the output layout. */
export type Turn =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly thinking: string;
      readonly calls: readonly Call[];
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    };

type AssistantTurn = Extract<Turn, { role: 'assistant' }>;

/** A run as a training conversation. */
export interface Conversation {
  /** The system prompt first, if the recording has one; the last turn is the assistant's. */
  readonly turns: readonly Turn[];
  /** Schemas of the tools as functions; undefined if the recording has none. */
  readonly tools: readonly object[] | undefined;
  /** Counts of omitted parts. */
  readonly dropped: Dropped;
}

/** Number of parts of each kind that a conversation lost. */
interface Dropped {
  /** Turns after the assistant's last message. */
  readonly trailingTurns: number;
  /** Calls without a result. */
  readonly unansweredCalls: number;
  /** Results without a recorded call. */
  readonly orphanResults: number;
}

/** Text that agent harnesses insert as user messages. */
const HARNESS =
  /^\s*(?:Stop hook feedback\b|<(?:system-reminder|user-prompt-submit-hook|local-command-|command-(?:name|message))|\[Request interrupted by user)/;

/**
 * @returns undefined if the assistant says nothing, because a conversation must end with its turn.
 */
export function toConversation(run: Run): Conversation | undefined {
  const { turns, orphanResults } = readTurns(run.trace);
  const answered = withoutUnanswered(turns);
  const end = answered.turns.findLastIndex((turn) => turn.role === 'assistant' && turn.text !== '');
  const last = answered.turns[end];
  if (last?.role !== 'assistant') return undefined;
  const system = systemPromptOf(run.record);
  const first: Turn[] = system === undefined ? [] : [{ role: 'system', text: system }];
  return {
    // The results of the last turn's calls come after it, so drop those calls.
    turns: [...first, ...answered.turns.slice(0, end), { ...last, calls: [] }],
    tools: toolsOf(run.record),
    dropped: {
      trailingTurns: answered.turns.length - end - 1,
      unansweredCalls: answered.dropped,
      orphanResults,
    },
  };
}

function readTurns({ task, steps }: ReasoningTrace): { turns: Turn[]; orphanResults: number } {
  const turns: Turn[] = [{ role: 'user', text: task.objective }];
  const names = new Map<string, string>();
  const open: string[] = [];
  let orphanResults = 0;
  const speak = (part: Partial<AssistantTurn>): void => {
    const last = turns.at(-1);
    // Reasoning, text and calls of one response form one message.
    const joins =
      last?.role === 'assistant' && (part.text === undefined || last.calls.length === 0);
    const before = joins ? last : { text: '', thinking: '', calls: [] };
    const turn: AssistantTurn = {
      role: 'assistant',
      text: joined(before.text, part.text),
      thinking: joined(before.thinking, part.thinking),
      calls: [...before.calls, ...(part.calls ?? [])],
    };
    if (joins) turns.pop();
    turns.push(turn);
  };
  for (const step of steps) {
    const source = step[STEP_SOURCE_KEY] as StepSource | undefined;
    const text = step.content ?? step.output_summary ?? '';
    if (step.type !== 'observation') {
      if (step.tool === undefined) speak(source?.thinking === true ? { thinking: text } : { text });
      else {
        // Call ids can repeat in a recording but must be unique in a conversation.
        const recorded = source?.call_id;
        const id =
          recorded === undefined || names.has(recorded) ? `call_${step.step_id}` : recorded;
        names.set(id, step.tool.name);
        open.push(id);
        speak({ calls: [{ id, name: step.tool.name, arguments: argumentsOf(step) }] });
      }
      continue;
    }
    if (source?.role !== undefined) {
      const isUser = source.role === 'user' && !HARNESS.test(text);
      turns.push({ role: isUser ? 'user' : 'system', text });
      continue;
    }
    const at = source?.call_id === undefined ? 0 : open.indexOf(source.call_id);
    const [callId] = at === -1 ? open.splice(0, 0) : open.splice(at, 1);
    if (callId === undefined) orphanResults++;
    else turns.push({ role: 'tool', callId, name: names.get(callId) ?? '', text });
  }
  return { turns, orphanResults };
}

function joined(before: string, more: string | undefined): string {
  return [before, more ?? ''].filter((text) => text !== '').join('\n\n');
}

function argumentsOf({ input, content }: ReasoningTraceStep): string {
  return JSON.stringify(input ?? (content === undefined ? {} : { input: content }));
}

/** Removes calls without a result: a model would learn to continue without waiting for results. */
function withoutUnanswered(turns: readonly Turn[]): { turns: Turn[]; dropped: number } {
  const answered = new Set(turns.flatMap((turn) => (turn.role === 'tool' ? [turn.callId] : [])));
  let dropped = 0;
  const kept = turns.flatMap((turn): Turn[] => {
    if (turn.role !== 'assistant') return [turn];
    const calls = turn.calls.filter(({ id }) => answered.has(id));
    dropped += turn.calls.length - calls.length;
    return calls.length === 0 && turn.text === '' ? [] : [{ ...turn, calls }];
  });
  return { turns: inCallOrder(kept), dropped };
}

/** Moves results directly after the message with their calls. */
function inCallOrder(turns: readonly Turn[]): Turn[] {
  const results = new Map(
    turns.flatMap((turn) => (turn.role === 'tool' ? [[turn.callId, turn] as const] : [])),
  );
  return turns.flatMap((turn): Turn[] => {
    if (turn.role === 'tool') return [];
    if (turn.role !== 'assistant') return [turn];
    return [turn, ...turn.calls.flatMap(({ id }) => results.get(id) ?? [])];
  });
}
