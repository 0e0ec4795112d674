import type { ReasoningTrace, ReasoningTraceStep } from '@knowledgepulse/sdk';
import { STEP_SOURCE_KEY, type StepSource } from '@kp/importers';
import type { Run } from '../runs/run.ts';
import { systemPromptOf, toolsOf } from './recorded-context.ts';

/** One call of a tool, with its arguments as JSON. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A turn of a conversation, whatever it is written as. */
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

/** A run as something to train on. */
export interface Conversation {
  /** The system prompt first, if the recording has one; the last turn is the assistant's. */
  readonly turns: readonly Turn[];
  /** Schemas of the tools as functions; undefined if the recording has none. */
  readonly tools: readonly object[] | undefined;
  /** What was left out, and how much of it. */
  readonly dropped: Dropped;
}

/** How much of which kind a conversation lost. */
interface Dropped {
  /** Turns after the last words of the assistant. */
  readonly trailingTurns: number;
  /** Calls that have no result. */
  readonly unansweredCalls: number;
  /** Results of calls that are not recorded. */
  readonly orphanResults: number;
}

/** What harnesses of agents write in the user's name. */
const HARNESS =
  /^\s*(?:Stop hook feedback\b|<(?:system-reminder|user-prompt-submit-hook|local-command-|command-(?:name|message))|\[Request interrupted by user)/;

/** @returns undefined when the assistant says nothing: there is no turn to end with. */
export function toConversation(run: Run): Conversation | undefined {
  const { turns, orphanResults } = readTurns(run.trace);
  const answered = withoutUnanswered(turns);
  const end = answered.turns.findLastIndex((turn) => turn.role === 'assistant' && turn.text !== '');
  const last = answered.turns[end];
  if (last?.role !== 'assistant') return undefined;
  const system = systemPromptOf(run.record);
  const first: Turn[] = system === undefined ? [] : [{ role: 'system', text: system }];
  return {
    // What the last turn calls is answered by turns after it.
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
    // What is thought, said and called in one go is one message.
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
        // Ids may repeat in a recording, and a conversation needs each once.
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

/** A call without a result would teach to call and go on without one. */
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

/** Results stand directly behind the message that calls for them. */
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
