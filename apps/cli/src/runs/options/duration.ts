import { InvalidArgumentError } from 'commander';

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/**
 * Converts a duration such as `90d` to milliseconds, for options.
 *
 * @throws {@link InvalidArgumentError}
 */
export function parseDuration(text: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([a-z])$/.exec(text) ?? [];
  const ms = Number(digits) * (UNITS_MS[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('expected a number above 0 with s, m, h, d or w, such as 90d');
}
