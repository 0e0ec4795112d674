import { describe, expect, it } from 'bun:test';
import { describeValue, KnowledgePulseError } from '@kp/foundation';
import { readEntryPoints } from './entry-points.ts';

// Test suites, a worker and a page register or start something when they are imported, and the base
// package contains helpers whose callers are our own.
const SKIPPED = /\/(contract|worker|page)$|^@kp\/foundation$/;
const NAMES = (await readEntryPoints()).map(({ name }) => name).filter((it) => !SKIPPED.test(it));

/** An empty address means the default server, which may run on this machine. */
const CONNECTS = /^(open|migrate)/;

const WRONG: readonly (readonly unknown[])[] = [
  [],
  ...[undefined, null, 5, 5n, '', true, Symbol('x'), () => 1, {}, [], new Map()].map((it) => [it]),
];

describe.each(NAMES)('%s', (name) => {
  it('names the argument when the first one is missing or has the wrong type', async () => {
    const exported: Record<string, unknown> = await import(name);
    const wrong: string[] = [];
    for (const [key, value] of Object.entries(exported)) {
      if (!isFunction(value) || isError(value)) continue;
      for (const values of WRONG) {
        if (values[0] === '' && CONNECTS.test(key)) continue;
        const thrown = await outcomeOf(value, values);
        if (thrown === undefined || thrown instanceof KnowledgePulseError) continue;
        const given = values.length === 0 ? '' : describeValue(values[0]);
        wrong.push(`${key}(${given}): ${thrown}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 60_000);
});

type AnyFunction = (...values: readonly unknown[]) => unknown;

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

function isError({ prototype }: AnyFunction): boolean {
  return prototype instanceof Error;
}

/** Returns the error that a call throws, rejects with, or throws at its first yielded item. */
async function outcomeOf(call: AnyFunction, values: readonly unknown[]): Promise<unknown> {
  try {
    const isClass = /^class\b/.test(Function.prototype.toString.call(call));
    const result: unknown = await (isClass ? Reflect.construct(call, values) : call(...values));
    const iterable = Object(result) as Partial<AsyncIterable<unknown> & Iterable<unknown>>;
    if (typeof result !== 'string') {
      await (iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]?.())?.next();
    }
    await (iterable as { close?(): unknown }).close?.();
    return undefined;
  } catch (error) {
    return error;
  }
}
