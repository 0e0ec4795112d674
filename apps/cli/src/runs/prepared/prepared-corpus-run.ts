import type { CountedTask } from '@kp/curation';
import { unpackWords } from './packed-runs.ts';
import type { CorpusSummary, DescribedCorpusRun, PreparedCorpus } from './prepared-data.ts';

/** What a worker has computed of a run for a corpus. */
export interface PreparedCorpusRun {
  readonly summary: CorpusSummary;
  /** The text to store, in UTF-8. */
  readonly text: Uint8Array;
  /**
   * Returns the words and messages.
   *
   * @param numberOf - of the vectorizer; the same one for all runs that were sent together.
   */
  counted(numberOf: (word: string) => number): CountedTask;
}

/** Creates the function that gives each described run its text and its words; call it in their order. */
export function createCorpusRestorer({
  texts,
  words,
  vocabulary,
}: PreparedCorpus): (described: DescribedCorpusRun) => PreparedCorpusRun {
  let textStart = 0;
  let wordsStart = 0;
  let numbers: Uint32Array | undefined;
  return ({ summary, task, textEnd, wordsEnd }) => {
    const text = texts.subarray(textStart, textEnd);
    const packed = words.subarray(wordsStart, wordsEnd);
    textStart = textEnd;
    wordsStart = wordsEnd;
    return {
      summary,
      text,
      counted(numberOf) {
        numbers ??= Uint32Array.from(JSON.parse(vocabulary) as string[], numberOf);
        return { ...task, document: unpackWords(packed, numbers) };
      },
    };
  };
}
