import { isObject } from '@kp/foundation';
import type { RecordedRun, RecordedStep, RecordedVerdict } from '@kp/importers';
import { asText } from './json-values.ts';

/** Ending of an incomplete run. Its trace counts as a success only if the caller says so. */
export interface RunEnding {
  /**
   * `error`: an error was thrown. `aborted`: the caller or reader stopped the run. `limit`: it reached a
   * limit on steps, tokens or time. `unfinished`: its end was not observed.
   */
  readonly kind: 'error' | 'aborted' | 'limit' | 'unfinished';
  /** Reason in one sentence. Becomes the result summary of the trace. */
  readonly reason: string;
  /** True if the library does not report a failure. Always the case for `unfinished`. */
  readonly isAssumed?: boolean;
}

/** Names of abort errors of the platform and of the OpenAI and Anthropic clients. */
const ABORT = /^(?:AbortError|APIUserAbortError|ResponseAborted)$/;
/** LangGraph throws `Error: Abort` when its signal is aborted. */
const ABORT_MESSAGE = /^(?:Abort|Aborted|This operation was aborted)$/;
const LIMIT = /^(?:TimeoutError|MaxTurnsExceededError|GraphRecursionError)$/;

/** Returns the ending of a run that threw `thrown`. */
export function endingOf(thrown: unknown): RunEnding {
  const reason = asText(thrown) || 'an error without a message';
  const [name, message] = namesOf(thrown);
  if (ABORT.test(name) || ABORT_MESSAGE.test(message)) return { kind: 'aborted', reason };
  return { kind: LIMIT.test(name) ? 'limit' : 'error', reason };
}

/** Like {@link endingOf}, for an error text that begins with its name: `AbortError: Aborted`. */
export function endingOfText(reason: string): RunEnding {
  const [, name = '', message = ''] = /^(\w+): (.*)$/s.exec(reason) ?? [];
  return { ...endingOf({ name, message }), reason };
}

/** Creates a step for an error of the model or the library rather than of a tool. */
export function errorStep(text: string, role: 'model' | 'runtime'): RecordedStep {
  return { kind: 'observation', role, content: text, error: 'flag' };
}

/**
 * Adds the ending to a run. The reason becomes a step if the agent would have seen it or if there is no
 * other step. It is also the result summary and, if the library says so, marks a failure.
 */
export function withEnding(run: RecordedRun, ending: RunEnding | undefined): RecordedRun {
  if (ending === undefined) return run;
  const { kind, reason } = ending;
  const isStep = kind === 'error' || kind === 'aborted' || run.steps.length === 0;
  const last = run.steps.at(-1);
  const isShown =
    last?.kind === 'observation' && last.error !== undefined && last.content === reason;
  const steps = isStep && !isShown ? [...run.steps, errorStep(reason, 'runtime')] : run.steps;
  const failure: RecordedVerdict = { path: 'ending', value: reason, rank: 'crash' };
  const verdicts = isAssumed(ending) ? run.verdicts : [...(run.verdicts ?? []), failure];
  return { ...run, steps, verdicts, ending: kind, resultSummary: reason };
}

function isAssumed({ kind, isAssumed = false }: RunEnding): boolean {
  return isAssumed || kind === 'unfinished';
}

/** Returns name and message of a thrown value. Reading a hostile error may throw. */
function namesOf(thrown: unknown): [name: string, message: string] {
  try {
    if (!isObject(thrown)) return ['', ''];
    return [String(thrown.name), String(thrown.message)];
  } catch {
    return ['', ''];
  }
}
