import { assertType } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';
import type { Withheld } from './report-data.ts';
import { createTranscript } from './transcript/create-transcript.ts';
import { plainText } from './transcript/plain-text.ts';
import type { RunTranscript } from './transcript/transcript.ts';

// Characters of the texts of all runs: a browser opens some 100 MB of a page without trouble.
const CHARACTERS_PER_PAGE = 150_000_000;

/** Which texts of the runs a page shows. */
export interface TextOptions {
  /** Put objectives and the texts of the steps into the page; default false. */
  readonly includeText?: boolean;
  /**
   * Show objectives, and read the texts of a run when somebody opens it: the page is beside its
   * recordings. Default false.
   */
  readonly textsOnDemand?: boolean;
  /** Characters of texts shown per run, its objective first; default 6,000,000. */
  readonly charactersPerRun?: number;
  /** Replaced by `[redacted]` in every text shown. */
  readonly redact?: readonly RegExp[];
  /** How many secrets were masked in the texts before they came here; default 0. */
  readonly masked?: number;
}

/** Lets texts through, or counts what it keeps back. */
export interface TextGate {
  /**
   * @param objective - what to show as the objective; may differ from that of the trace.
   * @param removed - characters that the trace had and has no more.
   */
  show(trace: ReasoningTrace | undefined, objective: string | undefined, removed: number): Shown;
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
 * Replaces everything that matches a pattern by `[redacted]`.
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
