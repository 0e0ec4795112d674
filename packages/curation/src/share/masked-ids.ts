import { sha256 } from '@kp/foundation';
import { SCORE_RECORD_KEY } from '@kp/schema';
import type { Mask } from './mask-values.ts';

const DIGITS = 12;

/**
 * Returns a function that makes the id of a masked trace distinct. Labels are numbered in each
 * trace, so the ids of different traces can become equal: `kp:trace:[e-mail-address-1]`. A digest of the
 * masked content distinguishes them; one of the id would reveal it to whoever guesses addresses.
 *
 * @param trace - the scanned value.
 */
export async function createIdMark(
  trace: unknown,
  mask: Mask,
): Promise<<Value>(masked: Value) => Value> {
  const id = idOf(trace);
  const masked = id === undefined ? undefined : mask.at(id, ['id']);
  if (masked === id) return (value) => value;
  const digest = await sha256(JSON.stringify(mask.value(trace), contentOnly));
  return (value) =>
    idOf(value) === masked ? { ...value, id: `${masked}-${digest.slice(0, DIGITS)}` } : value;
}

function idOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const { id } = value;
  return typeof id === 'string' && id.startsWith('kp:trace:') ? id : undefined;
}

/** Leaves out the score, which depends on the order of the runs. */
function contentOnly(name: string, value: unknown): unknown {
  if (name === 'quality_score' || name === SCORE_RECORD_KEY) return undefined;
  return typeof value === 'bigint' ? String(value) : value;
}
