import type { RecordedRun, RecordedStep, RecordedVerdict } from '@kp/importers';
import { asText, isObject } from './json-values.ts';

/** How a run ended that did not complete. Its trace is never a success unless the caller says so. */
export interface RunEnding {
  /**
   * `error`: something threw. `aborted`: the caller or reader stopped it. `limit`: it reached a limit
   * on its steps, tokens or time. `unfinished`: no end of it was seen.
   */
  readonly kind: 'error' | 'aborted' | 'limit' | 'unfinished';
  /** Why, in a sentence; the result summary of the trace. */
  readonly reason: string;
  /** True if the library does not say that the run failed. An `unfinished` run never says so. */
  readonly isAssumed?: boolean;
}

/** Names of errors that mean an abort, of the platform and of the clients of OpenAI and Anthropic. */
const ABORT = /^(?:AbortError|APIUserAbortError|ResponseAborted)$/;
/** LangGraph throws `Error: Abort` when its signal is aborted. */
const ABORT_MESSAGE = /^(?:Abort|Aborted|This operation was aborted)$/;
const LIMIT = /^(?:TimeoutError|MaxTurnsExceededError|GraphRecursionError)$/;

/** The ending of a run that `thrown` ended. */
export function endingOf(thrown: unknown): RunEnding {
  const reason = asText(thrown) || 'an error without a message';
  const [name, message] = namesOf(thrown);
  if (ABORT.test(name) || ABORT_MESSAGE.test(message)) return { kind: 'aborted', reason };
  return { kind: LIMIT.test(name) ? 'limit' : 'error', reason };
}

/** As {@link endingOf}, of an error in a text that begins with its name: `AbortError: Aborted`. */
export function endingOfText(reason: string): RunEnding {
  const [, name = '', message = ''] = /^(\w+): (.*)$/s.exec(reason) ?? [];
  return { ...endingOf({ name, message }), reason };
}

/** The step that shows an error which no tool reported: of the model, or of the library. */
export function errorStep(text: string, role: 'model' | 'runtime'): RecordedStep {
  return { kind: 'observation', role, content: text, error: 'flag' };
}

/**
 * The run with its ending: the reason is a step if the agent would have seen it, or if there would
 * be no step; it is also the result summary and, if the library says so, a failure.
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

/** Name and message of what was thrown; reading a hostile error may throw. */
function namesOf(thrown: unknown): [name: string, message: string] {
  try {
    if (!isObject(thrown)) return ['', ''];
    return [String(thrown.name), String(thrown.message)];
  } catch {
    return ['', ''];
  }
}
