import type { ReasoningTrace } from '@knowledgepulse/sdk';
import {
  type ImportedTrace,
  type ImportOptions,
  importTraces,
  type Provenance,
} from '@kp/importers';
import { describeFileError, type Input } from './inputs.ts';

/** A trace and where it comes from. */
export interface SourcedTrace {
  /** Not validated yet. */
  readonly trace: ReasoningTrace;
  readonly file: string;
  readonly line: number;
  readonly format: string;
  readonly provenance?: Provenance;
}

/** Who hears of what is going on while the inputs are read, and may end it. */
export interface TraceListener {
  /** One line, beginning with the file and where it can be said the line. */
  problem(message: string): void;
  readonly progress: { read(bytes: number): void };
  /** Once aborted, there are no more traces. */
  readonly stopped: AbortSignal;
}

/**
 * The traces of all inputs, in order. What cannot be read is told to the listener and does not
 * stop the rest.
 */
export async function* readTraces(
  inputs: readonly Input[],
  options: ImportOptions,
  listener: TraceListener,
): AsyncGenerator<SourcedTrace> {
  for (const input of inputs) {
    if (listener.stopped.aborted) return;
    let found = 0;
    try {
      for await (const item of importTraces(counted(input, listener), options)) {
        found++;
        if (item.kind === 'error')
          listener.problem(`${input.name}:${item.error.message.replace(/^line (\d+)/, '$1')}`);
        else yield sourced(item, input.name);
      }
    } catch (error) {
      if (listener.stopped.aborted) return;
      if (!(error instanceof Error) || Reflect.get(error, 'code') === undefined) throw error;
      listener.problem(`${input.name}: ${describeFileError(error)}`);
      continue;
    }
    if (found === 0) {
      listener.problem(`${input.name}: expected at least one trace, received an input without any`);
    }
  }
}

async function* counted(input: Input, listener: TraceListener): AsyncGenerator<Uint8Array> {
  for await (const chunk of input.open(listener.stopped)) {
    listener.progress.read(chunk.length);
    yield chunk;
  }
}

type Readable = Exclude<ImportedTrace, { kind: 'error' }>;

function sourced(item: Readable, file: string): SourcedTrace {
  const { line, format, provenance } = item;
  if (item.kind === 'unlabelled') {
    throw new TypeError('assumeSuccess: expected true or false, received nothing');
  }
  return {
    trace: item.trace,
    file,
    line,
    format,
    ...(provenance === undefined ? {} : { provenance }),
  };
}
