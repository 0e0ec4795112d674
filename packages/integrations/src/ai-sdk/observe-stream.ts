import { asText, isObject } from '../run/json-values.ts';

/** What is told of the stream that a model answers with. */
export interface StreamObserver {
  /** A part of the answer that is complete. */
  part(part: unknown): void;
  /** The model's finish reason, its last word. */
  finished(chunk: Readonly<Record<string, unknown>>): void;
  /** The stream failed, or reports an error. */
  failed(error: unknown): void;
  /** The reader left the stream. */
  cancelled(reason: unknown): void;
}

interface OpenText {
  readonly type: 'text' | 'reasoning';
  readonly id: string;
  text: string;
}

/**
 * The same stream, observed: its pieces are put together as parts. Anything that is not a stream is
 * returned as it is. What the observer throws does not reach the reader.
 */
export function observeStream(stream: unknown, observer: StreamObserver): unknown {
  if (!(stream instanceof ReadableStream)) return stream;
  const reader = stream.getReader();
  const assemble = createAssembler(observer);
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            assemble(undefined);
            controller.close();
          } else {
            assemble(value);
            controller.enqueue(value);
          }
        } catch (error) {
          assemble(undefined);
          observer.failed(error);
          controller.error(error);
        }
      },
      async cancel(reason) {
        assemble(undefined);
        observer.cancelled(reason);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Puts pieces of text together; a chunk that is not a piece of the same text ends it. */
function createAssembler(observer: StreamObserver): (chunk: unknown) => void {
  let open: OpenText | undefined;
  const close = (): void => {
    if (open !== undefined) observer.part({ type: open.type, text: open.text });
    open = undefined;
  };
  return (chunk) => {
    const type = isObject(chunk) ? asText(chunk.type) : '';
    if (!isObject(chunk)) close();
    else if (type === 'text-delta' || type === 'reasoning-delta') {
      const kind = type === 'text-delta' ? 'text' : 'reasoning';
      const id = asText(chunk.id ?? '');
      if (open?.type !== kind || open.id !== id) {
        close();
        open = { type: kind, id, text: '' };
      }
      open.text += asText(chunk.delta ?? chunk.text ?? '');
    } else if (type === 'tool-call' || type === 'tool-result') {
      close();
      observer.part(chunk);
    } else if (type === 'error') {
      close();
      observer.failed(chunk.error);
    } else if (type === 'finish') {
      close();
      observer.finished(chunk);
    }
  };
}
