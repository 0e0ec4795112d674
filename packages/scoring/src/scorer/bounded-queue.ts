/** A queue between one writer and one reader, of which the writer waits while it is full. */
export interface BoundedQueue<T> {
  /** Appends, then waits until there is room for another. False: the reader has gone. */
  push(item: T): Promise<boolean>;
  /** No more will be pushed. */
  end(): void;
  /** The oldest item, which stays in the queue; undefined at the end. */
  first(): Promise<T | undefined>;
  /** Makes room. */
  removeFirst(): void;
  /** The reader goes. */
  close(): void;
  readonly closed: boolean;
}

export function createBoundedQueue<T>(capacity: number): BoundedQueue<T> {
  const items: T[] = [];
  let ended = false;
  let closed = false;
  let wakeReader = (): void => undefined;
  let wakeWriter = (): void => undefined;
  return {
    async push(item) {
      items.push(item);
      wakeReader();
      while (items.length >= capacity && !closed) {
        await new Promise<void>((resolve) => {
          wakeWriter = resolve;
        });
      }
      return !closed;
    },
    end() {
      ended = true;
      wakeReader();
    },
    async first() {
      while (items.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
      return items[0];
    },
    removeFirst() {
      items.shift();
      wakeWriter();
    },
    close() {
      closed = true;
      wakeWriter();
    },
    get closed() {
      return closed;
    },
  };
}
