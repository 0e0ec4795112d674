import type { ReasoningTraceStep } from '@kp/schema';
import { plainText } from './plain-text.ts';
import type { Withheld } from './report-data.ts';

// Characters of texts on the page, each and of one run together.
const MOST_OF_A_TEXT = 1000;
const CHARACTERS_PER_RUN = 20_000;

/** Which texts of the runs a page shows. */
export interface TextOptions {
  /** Show objectives and the contents of steps; default false. */
  readonly includeText?: boolean;
  /** Characters of texts shown per run, its objective first; default 20,000. */
  readonly charactersPerRun?: number;
  /** Replaced by `[redacted]` in every text shown. */
  readonly redact?: readonly RegExp[];
}

/** Lets texts through, or counts what it keeps back. */
export interface TextGate {
  startRun(removed: number): void;
  show(text: string): string | undefined;
  showAll(steps: readonly ReasoningTraceStep[]): readonly string[] | undefined;
  withheld(): Withheld;
}

export function createTextGate(options: TextOptions): TextGate {
  const { includeText: open = false, charactersPerRun = CHARACTERS_PER_RUN } = options;
  const patterns = options.redact ?? [];
  let characters = 0;
  let redactions = 0;
  let left = 0;
  const show = (text: string): string | undefined => {
    if (!open) {
      characters += text.length;
      return undefined;
    }
    const clean = redact(text, patterns, () => redactions++);
    const most = Math.min(MOST_OF_A_TEXT, left);
    left -= Math.min(clean.length, most);
    characters += Math.max(0, clean.length - most);
    return most === 0 ? '' : plainText(clean, most);
  };
  return {
    startRun(removed) {
      left = charactersPerRun;
      characters += removed;
    },
    show,
    showAll(steps) {
      const texts = steps.map(({ content }) =>
        content === undefined ? '' : (show(content) ?? ''),
      );
      return open ? texts : undefined;
    },
    withheld: () => ({ texts: open, characters, redactions }),
  };
}

/** A text with `[redacted]` in the place of whatever fits a pattern. */
export function redact(
  text: string,
  patterns: readonly RegExp[],
  onRedaction: () => void = () => undefined,
): string {
  return patterns.reduce((clean, { source, flags }) => {
    const everywhere = new RegExp(source, `${flags.replaceAll(/[gy]/g, '')}g`);
    return clean.replace(everywhere, () => {
      onRedaction();
      return '[redacted]';
    });
  }, text);
}
