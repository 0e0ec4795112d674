import type { ErrorSign, Provenance, RunDetails, UserFeedback } from '@kp/schema';
import type { RecordingError } from '../errors/errors.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';

/** What makes a value look like a recording of a format. */
export interface Detection {
  /** What was seen, in a few words, for error messages. */
  readonly seen: string;
  /** `distinct`: no other known format looks like this. `possible`: it could be read this way. */
  readonly fit: 'distinct' | 'possible';
}

/** What people need to know of a format; texts of Markdown for one cell of a table. */
export interface FormatDocs {
  /** What one recording looks like: `a run a line`. */
  readonly file: string;
  /** Where people find such files: a path, a command, a menu. */
  readonly where: string;
  /** Which part of it becomes a thought. */
  readonly thought: string;
  /** Which part of it becomes a tool call. */
  readonly toolCall: string;
  /** How it reports that a tool failed. */
  readonly error: string;
  /** How it records whether the run succeeded. */
  readonly success: string;
}

/** A small recording of a format, for tests and as an example of how a file looks. */
export interface ImporterSample {
  /** What is special about it, for the title of a test. */
  readonly name: string;
  /** The content of the file. */
  readonly text: string;
  /** What an import reads in it: see `outlineOf` of `@kp/importers/contract`. */
  readonly outline: readonly string[];
}

/** How recordings of one format become runs. */
export interface Importer {
  /** The name by which the format is chosen, in lower case with hyphens. */
  readonly name: string;
  /** What it is, in a line, for people. */
  readonly title: string;
  /** For the documentation and `kp formats`. */
  readonly docs?: FormatDocs;
  /** Loads a few recordings of the format, the most typical first. */
  samples?(): Promise<readonly ImporterSample[]>;
  /**
   * Formats of one family may stand in one input: those of chat messages, which write plain text
   * alike. Left out: a family of its own.
   */
  readonly family?: string;
  /**
   * Looks at the content alone; undefined when it cannot be of this format.
   *
   * @param value - a JSON value of a recording.
   */
  detect(value: JsonValue): Detection | undefined;
  /**
   * Names the group that `value` belongs to when it is only a piece of a run, such as one event
   * a line. The pieces of a group are put together in an array, which is then detected and read
   * as one value. Formats whose pieces look alike share a group name.
   *
   * @param value - a JSON value of a recording.
   */
  pieceOf?(value: JsonValue): string | undefined;
  /**
   * How far the pieces of a run may be spread: over one input (the default), or over all inputs of
   * an import, so that a session in two files is one run.
   */
  readonly pieceScope?: 'input' | 'import';
  /**
   * Parts a value that holds pieces of several runs, each with the group it belongs to; undefined
   * when it is no such value. The parts may belong to runs that are spread over all inputs.
   *
   * @param value - a JSON value of a recording.
   */
  splitPieces?(value: JsonValue): readonly { group: string; piece: JsonValue }[] | undefined;
  /**
   * The task of a recording that names none, by where it is stored.
   *
   * @param segments - the folders and the file of its path, each without an ending such as `.json`.
   */
  taskOf?(segments: readonly string[]): string | undefined;
  /**
   * The runs in `value`. A run that cannot be read is an error among them, and costs no other.
   *
   * @param value - one that `detect` took for this format.
   */
  read(value: JsonValue): Iterable<RecordedRun | RecordingError>;
}

/** A registered name: a format's own, or `auto` to tell it from the content. */
export type FormatName = 'auto' | (string & {});

/** One run as an importer reads it, before anything is derived from it. */
export interface RecordedRun {
  /** What the recording calls the run, the most telling first: `{ task_id: 3, trial: 0 }`. */
  readonly source: Readonly<Record<string, string | number>>;
  /** What the run was to do. */
  readonly objective?: string;
  /** What the recording calls the task, which other runs share: `airline/3`. */
  readonly task?: string;
  /** Where the task is from; left out: the recording. */
  readonly taskFrom?: 'file';
  /** ISO 8601. Read as UTC where it has no offset. */
  readonly createdAt?: string;
  /** Whether it succeeded, where the recording says so outright. */
  readonly success?: boolean;
  /** What else it says of how the run went; judged by the rules for all formats. */
  readonly verdicts?: readonly RecordedVerdict[];
  /** 0 to 1. */
  readonly confidence?: number;
  /** The domain, where the recording names one. */
  readonly domain?: string;
  /** Which model it called. */
  readonly model?: string;
  /** Which agent it was. */
  readonly agentId?: string;
  /** What the agent was built with. */
  readonly framework?: string;
  /** What the agent said, did and was shown, in order. */
  readonly steps: readonly RecordedStep[];
  /** What became of it, where the recording says so apart from the steps. */
  readonly resultSummary?: string;
  /** What people noted about the run, such as the step at which it went wrong. */
  readonly annotations?: Readonly<Record<string, string | number>>;
  /** How many parts of which kind have no text and were left out or stand as `[kind]`. */
  readonly omitted?: Readonly<Record<string, number>>;
  /** What the harness had added to the texts and was taken off, by kind and how often. */
  readonly stripped?: Readonly<Record<string, number>>;
  /** What a tool is in a shell: the shell itself, or each program. */
  readonly shellTools?: 'one' | 'by_command';
  /** Which of the pieces that were put together it begins with, from 0. */
  readonly piece?: number;
  /** The names of the run that started this one, an agent's subagent. */
  readonly parent?: Readonly<Record<string, string | number>>;
  /** How it ended if it did not complete. */
  readonly ending?: Provenance['ending'];
  /** What it took and whose it was. */
  readonly details?: RunDetails;
  /** The run's own part of the recording, for rules of the caller. */
  readonly record: JsonValue;
}

/** One statement of a recording on how a run went, as found. */
export interface RecordedVerdict {
  /** Where in the run's record it stands: `reward`, `scores.match.value`. */
  readonly path: string;
  /** True, false, a word such as `C` or `resolved`, or a number. */
  readonly value: JsonValue;
  /**
   * `main`: the one that the recording's own metric goes by. `crash`: the run ended by an error, so
   * that it failed whatever else is said. Left out: one among equals.
   */
  readonly rank?: 'main' | 'crash';
}

/** What a run's agent said, did or was shown, in order. */
export type RecordedStep =
  | {
      readonly kind: 'thought';
      readonly content: string;
      /** Whether the model thought it rather than said it. */
      readonly thinking?: true;
    }
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
      /** Where the user refused the call or stopped the agent; then it is no error. */
      readonly feedback?: UserFeedback;
    };
