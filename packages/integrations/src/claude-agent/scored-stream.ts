/** Receives the messages and the end of a stream. */
export interface StreamWatcher<Message> {
  /** Called once, when the reader asks for the first message. */
  begin(): void;
  message(message: Message): void;
  /** Called once. `thrown` contains the stream's error; `isComplete` is false if the reader cancelled. */
  end(outcome: {
    readonly isComplete: boolean;
    readonly thrown?: { readonly error: unknown };
  }): void;
}

/**
 * Wraps a stream so that the watcher sees everything that is read. All other properties are those of the
 * original stream, such as `interrupt()` of a query.
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
      // Returning a generator that has not started would not close the stream, so close it here.
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
  watcher.begin();
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
