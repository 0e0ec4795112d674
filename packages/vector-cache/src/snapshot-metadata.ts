import { SnapshotError } from './errors.ts';
import { type ResolvedOptions, resolveOptions } from './options.ts';

/** The part of a snapshot that is no vector: the options of the cache and the key table. */
export interface SnapshotMetadata {
  readonly count: number;
  readonly dimensions: number;
  readonly maxElements: number;
  /** null: no limit. */
  readonly ttlMs: number | null;
  /** null: the cache had none. */
  readonly embedderId: string | null;
  /** One a vector, null for one without a key; null altogether when no vector has one. */
  readonly keys: readonly (string | null)[] | null;
}

/** @throws {@link SnapshotError} when the bytes are no metadata a cache writes. */
export function parseMetadata(bytes: Uint8Array): SnapshotMetadata {
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null) {
    throw new SnapshotError('metadata', 'an object', String(value));
  }
  const fields = value as Partial<Record<keyof SnapshotMetadata, unknown>>;
  const options = checkOptions(fields);
  const count = fields.count;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) {
    throw new SnapshotError('count', 'an integer from 0', String(count));
  }
  if (count > options.maxElements) {
    throw new SnapshotError('count', `at most ${options.maxElements}`, `${count}`);
  }
  const keys = checkKeys(fields.keys, count);
  const { dimensions, maxElements, embedderId = null } = options;
  const ttlMs = options.ttlMs === Number.POSITIVE_INFINITY ? null : options.ttlMs;
  return { count, dimensions, maxElements, ttlMs, embedderId, keys };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new SnapshotError('metadata', 'UTF-8 JSON', `${bytes.length} other bytes`, { cause });
  }
}

function checkOptions(fields: Partial<Record<keyof SnapshotMetadata, unknown>>): ResolvedOptions {
  for (const name of ['dimensions', 'maxElements', 'ttlMs', 'embedderId'] as const) {
    if (fields[name] === undefined) throw new SnapshotError(name, 'a value', 'undefined');
  }
  try {
    return resolveOptions({
      dimensions: fields.dimensions as number,
      maxElements: fields.maxElements as number,
      ttlMs: (fields.ttlMs ?? undefined) as number | undefined,
      embedderId: (fields.embedderId ?? undefined) as string | undefined,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SnapshotError('metadata', 'the options of a cache', reason, { cause });
  }
}

function checkKeys(keys: unknown, count: number): readonly (string | null)[] | null {
  if (keys === null) return null;
  if (!Array.isArray(keys)) throw new SnapshotError('keys', 'an array or null', typeof keys);
  if (keys.length !== count) throw new SnapshotError('keys', `${count} keys`, `${keys.length}`);
  for (const [index, key] of keys.entries()) {
    if (key !== null && typeof key !== 'string') {
      throw new SnapshotError(`keys[${index}]`, 'a string or null', typeof key);
    }
  }
  return keys;
}
