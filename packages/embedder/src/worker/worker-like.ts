/** The part of a Web Worker that is used, so that programs without the types of a browser compile. */
export interface WorkerLike {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: string, listener: (event: WorkerEventLike) => void): void;
  terminate(): void;
}

/** An event of a worker: a message has `data`, a failure `error` or `message`. */
export interface WorkerEventLike {
  readonly type: string;
  readonly data?: unknown;
  readonly error?: unknown;
  readonly message?: string;
}
