import { assertType } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';
import type { Withheld } from './report-data.ts';
import { createTranscript } from './transcript/create-transcript.ts';
import { plainText } from './transcript/plain-text.ts';
import type { RunTranscript } from './transcript/transcript.ts';

// Maximum number of characters of all runs; a browser opens a page of 100 MB without problems.
const CHARACTERS_PER_PAGE = 150_000_000;

/** Selects the texts of the runs that a page shows. */
export interface TextOptions {
  /** Includes objectives and the texts of the steps in the page; default false. */
  readonly includeText?: boolean;
  /**
   * Shows objectives, and reads the texts of a run when a reader opens it, for a page with access
   * to its recordings. Default false.
   */
  readonly textsOnDemand?: boolean;
  /** Maximum number of characters per run, starting with its objective; default 6,000,000. */
  readonly charactersPerRun?: number;
  /** Patterns to replace by `[redacted]` in every text and name. */
  readonly redact?: readonly RegExp[];
  /** Number of secrets that were masked in the texts before; default 0. */
  readonly masked?: number;
}

/** Passes texts on, or counts those that it omits. */
export interface TextGate {
  /**
   * @param objective - objective to show; may differ from that of the trace.
   *
   * @param removed - number of characters that were removed from the trace.
   */
  show(trace: ReasoningTrace | undefined, objective: string | undefined, removed: number): Shown;
  /** Redacts the name of a run, file, tool … */
  cleanName(name: string): string;
  withheld(): Withheld;
}

interface Shown {
  readonly objective?: string;
  readonly transcript?: RunTranscript;
}

export function createTextGate(options: TextOptions): TextGate {
  const { includeText = false, textsOnDemand = false, redact: patterns = [] } = options;
  let characters = 0;
  let redactions = 0;
  let left = CHARACTERS_PER_PAGE;
  const clean = (text: string): string => redact(text, patterns, () => redactions++);
  return {
    show(trace, objective, removed) {
      characters += removed;
      if (!includeText) {
        if (!textsOnDemand) characters += charactersOf(trace, objective);
        if (!textsOnDemand || objective === undefined) return {};
        return { objective: plainText(clean(objective)) };
      }
      if (trace === undefined) {
        return objective === undefined ? {} : { objective: plainText(clean(objective)) };
      }
      const charactersPerRun = Math.min(options.charactersPerRun ?? left, left);
      const { transcript, leftOut } = createTranscript(trace, { charactersPerRun, clean });
      characters += leftOut;
      left -= sizeOf(transcript);
      const isFirst = objective === trace.task.objective;
      const shown = isFirst ? transcript.objective : clean(objective ?? '');
      return { objective: plainText(shown) || undefined, transcript };
    },
    // Names recur in every step, so they are not counted.
    cleanName: (name) => redact(name, patterns),
    withheld: () => ({
      texts: includeText || textsOnDemand,
      characters,
      redactions,
      ...(options.masked !== undefined && { masked: options.masked }),
    }),
  };
}

function charactersOf(trace: ReasoningTrace | undefined, objective = ''): number {
  const steps = trace?.steps ?? [];
  return steps.reduce((sum, { content = '' }) => sum + content.length, objective.length);
}

function sizeOf({ objective, result, steps }: RunTranscript): number {
  const ofSteps = steps.map(
    ({ text = '', input = [] }) =>
      text.length + input.reduce((sum, [, value]) => sum + value.length, 0),
  );
  return ofSteps.reduce((sum, size) => sum + size, objective.length + result.length);
}

/**
 * Replaces all matches of the patterns by `[redacted]`.
 *
 * @param text - the text.
 * @param patterns - regular expressions; their flags `g` and `y` are ignored.
 * @param onRedaction - called for each replaced place.
 */
export function redact(
  text: string,
  patterns: readonly RegExp[],
  onRedaction: () => void = () => undefined,
): string {
  assertType('text', 'a string', text);
  assertType('patterns', 'an array', patterns);
  return patterns.reduce((clean, { source, flags }) => {
    const everywhere = new RegExp(source, `${flags.replaceAll(/[gy]/g, '')}g`);
    return clean.replace(everywhere, () => {
      onRedaction();
      return '[redacted]';
    });
  }, text);
}
