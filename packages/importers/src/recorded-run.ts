import type { JsonObject, JsonValue } from './json/json-value.ts';

/** How an error was seen: a field that says so, the text itself, or the exit code of a command. */
export type ErrorSign = 'flag' | 'text' | 'exit_code';

/** What a run's agent said, did or was shown, in order. */
export type RecordedStep =
  | { readonly kind: 'thought'; readonly content: string }
  | {
      readonly kind: 'tool_call';
      readonly name: string;
      /** Pairs the call with its observation. */
      readonly callId?: string;
      /** The arguments, where they are an object. */
      readonly input?: JsonObject;
      /** The arguments as recorded, where they are not an object. */
      readonly content?: string;
      readonly latencyMs?: number;
    }
  | {
      readonly kind: 'observation';
      readonly content: string;
      readonly callId?: string;
      /** Who it came from; left out for the result of a tool. */
      readonly role?: string;
      readonly error?: ErrorSign;
    };

/** One run as an importer reads it, before anything is derived from it. */
export interface RecordedRun {
  /** What the recording calls the run, the most telling first: `{ task_id: 3, trial: 0 }`. */
  readonly source: Readonly<Record<string, string | number>>;
  /** Whether no two runs anywhere share these names (session ids, UUIDs). */
  readonly sourceIsUnique?: boolean;
  readonly objective?: string;
  /** ISO 8601. Read as UTC where it has no offset. */
  readonly createdAt?: string;
  readonly success?: boolean;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly domain?: string;
  readonly agentId?: string;
  readonly framework?: string;
  readonly steps: readonly RecordedStep[];
  /** What became of it, where the recording says so apart from the steps. */
  readonly resultSummary?: string;
  /** How many parts of which kind have no text and were left out or stand as `[kind]`. */
  readonly omitted?: Readonly<Record<string, number>>;
  /** The run's own part of the recording, for rules of the caller. */
  readonly record: JsonValue;
}
