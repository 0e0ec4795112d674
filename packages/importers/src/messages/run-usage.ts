import type { RunDetails } from '@kp/schema';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { isoTime, msFromTime } from '../json/times.ts';

/** Adds up the usage of a run from the parts of its recording. */
export interface RunUsage {
  /**
   * Adds the usage of one model call.
   *
   * @param usage - with the field names of OpenAI, Anthropic or the AI SDK; other fields are
   *   ignored.
   * @param call - id of the call, if several records report the same call; only the last report
   *   counts.
   */
  addCall(usage: JsonValue | undefined, call?: string): void;
  /** Adds US dollars. */
  addCost(dollars: JsonValue | undefined): void;
  /** Adds a time during the run: ISO 8601, seconds or milliseconds. */
  addTime(time: JsonValue | undefined): void;
  /** Returns the usage; omits fields without values. */
  read(): Writable;
  /** Start of the run. */
  startedAt(): string | undefined;
}

type Writable = { -readonly [Field in keyof RunDetails]: RunDetails[Field] };
type Tokens = readonly [input: number | undefined, output: number | undefined];

const INPUT = ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens'];
const OUTPUT = ['output_tokens', 'completion_tokens', 'outputTokens', 'completionTokens'];
/** Anthropic does not include these in `input_tokens`. */
const CACHED = ['cache_creation_input_tokens', 'cache_read_input_tokens'];

export function createRunUsage(): RunUsage {
  const calls = new Map<string, Tokens>();
  let cost: number | undefined;
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  return {
    addCall(usage, call) {
      const tokens = tokensOf(usage);
      if (tokens !== undefined) calls.set(call ?? `#${calls.size}`, tokens);
    },
    addCost(dollars) {
      if (typeof dollars === 'number') cost = (cost ?? 0) + dollars;
    },
    addTime(time) {
      const at = msFromTime(time);
      if (at === undefined) return;
      start = Math.min(start, at);
      end = Math.max(end, at);
    },
    startedAt: () => isoTime(start),
    read() {
      const details: Writable = {};
      const tokens = [...calls.values()];
      const input = sumOf(tokens.map(([amount]) => amount));
      const output = sumOf(tokens.map(([, amount]) => amount));
      if (input !== undefined) details.input_tokens = input;
      if (output !== undefined) details.output_tokens = output;
      if (cost !== undefined) details.cost_usd = cost;
      if (end > start) {
        details.ended_at = isoTime(end);
        details.duration_ms = Math.round(end - start);
      }
      return details;
    },
  };
}

/**
 * Returns the usage of a run from its messages, each of which may have a time and the usage of its
 * call.
 */
export function usageOfMessages(messages: readonly JsonValue[]): RunUsage {
  const usage = createRunUsage();
  for (const message of messages) {
    if (!isJsonObject(message)) continue;
    const { timestamp, created_at, createdAt, metadata, usage_metadata, response_metadata } =
      message;
    usage.addTime(timestamp ?? created_at ?? createdAt ?? undefined);
    const nested = [metadata, response_metadata].filter(isJsonObject);
    usage.addCall(
      [message.usage, usage_metadata, ...nested.flatMap(usagesIn)].find((each) => {
        return tokensOf(each) !== undefined;
      }),
    );
  }
  return usage;
}

function usagesIn({ usage, token_usage, totalUsage }: JsonObject): (JsonValue | undefined)[] {
  return [usage, token_usage, totalUsage];
}

/** Returns undefined if it contains no token count. */
function tokensOf(usage: JsonValue | undefined): Tokens | undefined {
  if (!isJsonObject(usage)) return undefined;
  const input = amountOf(usage, INPUT);
  const output = amountOf(usage, OUTPUT);
  if (input === undefined && output === undefined) return undefined;
  const isApart = countOf(usage.input_tokens) !== undefined;
  const cached = isApart ? CACHED.map((name) => amountOf(usage, [name]) ?? 0) : [];
  return [
    input === undefined ? undefined : cached.reduce((sum, tokens) => sum + tokens, input),
    output,
  ];
}

/** Returns undefined if no call has recorded the amount. */
function sumOf(amounts: readonly (number | undefined)[]): number | undefined {
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, amount) => sum + amount, 0);
}

function amountOf(usage: JsonObject, names: readonly string[]): number | undefined {
  return names.map((name) => countOf(usage[name])).find((amount) => amount !== undefined);
}

/** Some loggers write counts as text. */
function countOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  return typeof value === 'number' ? value : undefined;
}
