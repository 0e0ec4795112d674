import { useEffect, useMemo, useState } from 'preact/hooks';
import { createFinder, type TextHit } from '../../transcript/find-texts.ts';
import { hitsOf } from '../../transcript/text-source.ts';
import type { RunTranscript } from '../../transcript/transcript.ts';
import type { ReadingState } from './step-view.tsx';

/** The search within one run, and the state of its folded texts. */
export interface Reading extends ReadingState {
  readonly hits: readonly TextHit[];
  /** Index of the current result in {@link Reading.hits}; −1 before the first one. */
  readonly at: number;
  /** Moves to the next or previous result. Returns its step. */
  moveHit(by: 1 | -1): number | undefined;
  readonly isAllOpen: boolean;
  openAll(isOpen: boolean): void;
}

/** @param run - identifies the open run. */
export function useReading(
  run: number,
  transcript: RunTranscript | undefined,
  tools: readonly (string | undefined)[],
  query: string,
): Reading {
  const [at, setAt] = useState(-1);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [isAllOpen, setAllOpen] = useState(false);
  const words = query.trim();
  const find = useMemo(() => createFinder(words), [words]);
  const hits = useMemo(() => hitsOf(transcript, tools, words), [transcript, words]);
  useEffect(() => setAt(-1), [run, words]);
  useEffect(() => setOpened(new Set()), [run]);
  return {
    find,
    hits,
    at,
    hit: hits[at],
    moveHit(by) {
      if (hits.length === 0) return undefined;
      const next = at < 0 && by < 0 ? hits.length - 1 : (at + by + hits.length) % hits.length;
      setAt(next);
      return hits[next]?.step;
    },
    isAllOpen,
    openAll(isOpen) {
      setAllOpen(isOpen);
      setOpened(new Set());
    },
    // The exceptions from the state of all texts.
    isOpen: (step, part) => opened.has(`${step} ${part}`) !== isAllOpen,
    toggle(step, part) {
      const key = `${step} ${part}`;
      const next = new Set(opened);
      if (!next.delete(key)) next.add(key);
      setOpened(next);
    },
  };
}
