/** What is told of a stream as it is read. */
export interface StreamWatcher<Message> {
  message(message: Message): void;
  /** Called once. `thrown` holds what the stream threw; `isComplete` is false if the reader left. */
  end(outcome: {
    readonly isComplete: boolean;
    readonly thrown?: { readonly error: unknown };
  }): void;
}

/**
 * The same stream, watched: reading it, and only that, goes through the watcher. Every other property
 * is that of the stream, such as `interrupt()` of a query.
 */
export function watchStream<Message, Stream extends AsyncIterable<Message>>(
  stream: Stream,
  watcher: StreamWatcher<Message>,
): Stream {
  const reading = read(stream, watcher);
  let hasBegun = false;
  const begin = (): AsyncGenerator<Message, void, undefined> => {
    hasBegun = true;
    return reading;
  };
  const own: Readonly<Record<PropertyKey, unknown>> = {
    next: () => begin().next(),
    async return(value: unknown) {
      // A generator that has not begun would end without closing the stream.
      if (!hasBegun) await call(stream, 'return', value);
      return reading.return();
    },
    throw: (error: unknown) => begin().throw(error),
    [Symbol.asyncIterator]: () => watched,
    async [Symbol.asyncDispose]() {
      await reading.return();
      await call(stream, Symbol.asyncDispose);
    },
  };
  const watched: Stream = new Proxy(stream, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return watched;
}

async function* read<Message>(
  stream: AsyncIterable<Message>,
  watcher: StreamWatcher<Message>,
): AsyncGenerator<Message, void, undefined> {
  let isComplete = false;
  let thrown: { readonly error: unknown } | undefined;
  try {
    for await (const message of stream) {
      watcher.message(message);
      yield message;
    }
    isComplete = true;
  } catch (error) {
    thrown = { error };
    throw error;
  } finally {
    watcher.end({ isComplete, thrown });
  }
}

async function call(target: object, name: PropertyKey, ...args: unknown[]): Promise<void> {
  const method: unknown = Reflect.get(target, name);
  if (typeof method === 'function') await method.apply(target, args);
}
