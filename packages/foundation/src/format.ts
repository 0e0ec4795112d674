/**
 * A share as a percentage: `12 %`, `0.4 %`; at most one decimal, without trailing zeros.
 *
 * @param share - a fraction; 1 is 100 %.
 */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/**
 * At most three decimals, without trailing zeros: `0.375`, `0.05`, `0`.
 *
 * @param value - a finite number.
 */
export function decimal(value: number): string {
  return String(Number(value.toFixed(3)));
}
