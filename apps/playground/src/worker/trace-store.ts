import type { ReasoningTrace } from '@knowledgepulse/sdk';

/** Stores whole traces outside the worker's memory: a browser may keep blobs on disk. */
export interface TraceStore {
  /** @returns The number of the trace, from 0. */
  add(trace: ReasoningTrace): number;
  /** Reads a trace; undefined for an unknown number. */
  read(number: number): Promise<ReasoningTrace | undefined>;
  /** Returns traces as lines of JSON. */
  lines(numbers: readonly number[]): Blob;
}

const BATCH_BYTES = 4_000_000;

export function createTraceStore(): TraceStore {
  const batches: Blob[] = [];
  const places: { batch: number; from: number; to: number }[] = [];
  const encoder = new TextEncoder();
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (waiting.length === 0) return;
    batches.push(new Blob(waiting));
    waiting = [];
    bytes = 0;
  };
  const lines = (numbers: readonly number[]): Blob => {
    flush();
    const pieces = numbers.flatMap((number) => {
      const place = places[number];
      return place === undefined ? [] : (batches[place.batch]?.slice(place.from, place.to) ?? []);
    });
    return new Blob(pieces, { type: 'application/jsonl' });
  };
  return {
    lines,
    async read(number) {
      if (places[number] === undefined) return undefined;
      return JSON.parse(await lines([number]).text());
    },
    add(trace) {
      const line = encoder.encode(`${JSON.stringify(trace)}\n`);
      places.push({ batch: batches.length, from: bytes, to: bytes + line.length });
      waiting.push(line);
      bytes += line.length;
      if (bytes >= BATCH_BYTES) flush();
      return places.length - 1;
    },
  };
}
