import { isObject } from '@kp/foundation';

/** The part of an OpenTelemetry span that the AI SDK uses, and the recorded values. */
export interface Span {
  readonly attributes: Record<string, unknown>;
  readonly startedAt: number;
  readonly exception?: unknown;
  setAttribute(name: string, value: unknown): Span;
  setAttributes(attributes: Readonly<Record<string, unknown>>): Span;
  addEvent(...args: unknown[]): Span;
  addLink(...args: unknown[]): Span;
  addLinks(...args: unknown[]): Span;
  setStatus(status: unknown): Span;
  updateName(name: string): Span;
  recordException(error: unknown, time?: unknown): void;
  isRecording(): boolean;
  spanContext(): unknown;
  end(time?: unknown): void;
}

/** The part of an OpenTelemetry tracer that the AI SDK uses. */
export interface Tracer {
  startSpan(...args: unknown[]): Span;
  startActiveSpan(name: string, ...args: unknown[]): unknown;
}

const NO_CONTEXT = { traceId: '', spanId: '', traceFlags: 0 };

/**
 * Creates a span that records its values and forwards them.
 *
 * @param inner - span of the caller's tracer, if any.
 */
export function createSpan(
  inner: Span | undefined,
  attributes: Record<string, unknown>,
  onEnd: () => void,
): Span {
  const span: Span & { exception?: unknown } = {
    attributes,
    startedAt: performance.now(),
    setAttribute(name, value) {
      attributes[name] = value;
      inner?.setAttribute(name, value);
      return span;
    },
    setAttributes(more) {
      Object.assign(attributes, more);
      inner?.setAttributes(more);
      return span;
    },
    addEvent(...args) {
      inner?.addEvent(...args);
      return span;
    },
    addLink(...args) {
      inner?.addLink(...args);
      return span;
    },
    addLinks(...args) {
      inner?.addLinks(...args);
      return span;
    },
    setStatus(status) {
      inner?.setStatus(status);
      return span;
    },
    updateName(name) {
      inner?.updateName(name);
      return span;
    },
    recordException(error, time) {
      span.exception = errorOf(error);
      inner?.recordException(error, time);
    },
    isRecording: () => true,
    spanContext: () => inner?.spanContext() ?? NO_CONTEXT,
    end(time) {
      onEnd();
      inner?.end(time);
    },
  };
  return span;
}

/** Rebuilds an error, which the SDK records as an object with name, message and stack. */
function errorOf(error: unknown): unknown {
  if (error instanceof Error || !isObject(error)) return error;
  const { name, message } = error;
  return Object.assign(new Error(String(message)), { name: String(name) });
}
