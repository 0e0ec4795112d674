/**
 * Area under the receiver operating characteristic curve: the chance that a positive is higher than
 * a negative, ties counting half.
 *
 * @returns 0 to 1; NaN when one of the two is empty.
 * @see Hanley and McNeil, The Meaning and Use of the Area under a ROC Curve (1982).
 */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number {
  const ascending = negatives.toSorted((a, b) => a - b);
  let wins = 0;
  for (const value of positives) {
    wins += (countBelow(ascending, value, false) + countBelow(ascending, value, true)) / 2;
  }
  return wins / (positives.length * negatives.length);
}

/** How many of the ascending values are less than `value`, or not more than it. */
function countBelow(ascending: readonly number[], value: number, orEqual: boolean): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = ascending[middle] as number;
    if (at < value || (orEqual && at === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
