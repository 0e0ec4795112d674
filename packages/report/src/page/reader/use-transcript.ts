import { messageOf } from '@kp/foundation';
import { useEffect, useState } from 'preact/hooks';
import type { TextSource } from '../../transcript/text-source.ts';
import type { RunTranscript } from '../../transcript/transcript.ts';

/** The texts of a run, as far as they are available. */
export interface TranscriptState {
  readonly state: 'reading' | 'there' | 'absent' | 'failed';
  readonly transcript?: RunTranscript;
  /** Why they cannot be read. */
  readonly failure?: string;
}

/** Reads the texts of the run at a place. */
export function useTranscript(source: TextSource | undefined, place: number): TranscriptState {
  const [read, setRead] = useState<{ place: number; result: TranscriptState }>();
  useEffect(() => {
    if (source === undefined) return undefined;
    let isOver = false;
    const finish = (result: TranscriptState): void => {
      if (!isOver) setRead({ place, result });
    };
    source.read(place).then(
      (transcript) =>
        finish(transcript === undefined ? { state: 'absent' } : { state: 'there', transcript }),
      (error: unknown) => finish({ state: 'failed', failure: messageOf(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [source, place]);
  if (source === undefined) return { state: 'absent' };
  return read?.place === place ? read.result : { state: 'reading' };
}
