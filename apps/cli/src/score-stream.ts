import { type ScoreReport, type Scorer, TraceValidationError } from '@knowledgepulse/sdk';
import type { SourcedTrace } from './trace-source.ts';

/** A report and the trace that it is about. */
export interface ScoredTrace {
  readonly report: ScoreReport;
  readonly source: SourcedTrace;
}

/**
 * Scores a stream of traces, in order, each remembered before the next. A trace that is not valid
 * goes to `onInvalid`, as one text that begins with the file and the line.
 */
export async function* scoreStream(
  scorer: Scorer,
  traces: AsyncIterable<SourcedTrace>,
  onInvalid: (message: string) => void,
  concurrency: number,
): AsyncGenerator<ScoredTrace> {
  // Reports come in the order of the valid traces, and an invalid one is told of before the next
  // is read, so a queue is all it takes to know whose report it is.
  const waiting: SourcedTrace[] = [];
  async function* bare() {
    for await (const source of traces) {
      waiting.push(source);
      yield source.trace;
    }
  }
  const reports = scorer.evaluateAll(bare(), {
    concurrency,
    onInvalid(error) {
      const source = waiting.pop();
      onInvalid(invalidMessage(error, source));
    },
  });
  for await (const report of reports) {
    const source = waiting.shift();
    if (source !== undefined) yield { report, source };
  }
}

/** `file:3: trace kp:trace:x is not valid, 1 problem: …`, one problem a line when there are more. */
export function invalidMessage(error: Error, source: SourcedTrace | undefined): string {
  const place = source === undefined ? '' : `${source.file}:${source.line}: `;
  if (error instanceof TraceValidationError && error.issues.length === 1) {
    return `${place}${error.message.replace('\n  ', ' ')}`;
  }
  return `${place}${error.message}`;
}
