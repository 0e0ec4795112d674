import type { ReportData } from '../report-data.ts';

/** The least and most of a value that are let through, in [0, 1]. */
export type Range = readonly [least: number, most: number];

const EVERYTHING: Range = [0, 1];

/** The name of a range in the address: `range-novelty`; −1 is the score. */
export function rangeName({ dimensions }: ReportData, dimension: number): string {
  const label = dimension === -1 ? 'score' : (dimensions[dimension] ?? '');
  return `range-${label.replaceAll(/\s+/g, '-')}`;
}

/** @returns undefined for all values, which need not stand in the address. */
export function writeRange([least, most]: Range): string | undefined {
  return least <= 0 && most >= 1 ? undefined : `${least}..${most}`;
}

/** The range of a dimension in an address; everything where it has none that can be used. */
export function rangeIn(parameters: URLSearchParams, data: ReportData, dimension: number): Range {
  const text = parameters.get(rangeName(data, dimension));
  const [least = Number.NaN, most = Number.NaN] = (text ?? '').split('..').map(Number);
  return least >= 0 && most <= 1 && least <= most ? [least, most] : EVERYTHING;
}
