/** Reports a worker that sends nothing while it should be working. */
export interface WorkerWatchdog {
  /** Call at each request and at each message, which show that the worker is busy. */
  restart(): void;
  /** Call when the worker has nothing to do or has ended. */
  stop(): void;
}

/** @param onSilence - receives the reason, `no message for 120 s`. */
export function createWorkerWatchdog(
  timeoutMs: number,
  onSilence: (reason: string) => void,
): WorkerWatchdog {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    restart() {
      clearTimeout(timer);
      timer = setTimeout(() => onSilence(`no message for ${timeoutMs / 1000} s`), timeoutMs);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
