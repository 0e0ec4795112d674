/**
 * Sorts runs in ascending order of their content keys by UTF-16 code units; runs with equal keys
 * keep their order. Sums are computed in this order, because a sum of doubles depends on the order
 * of its terms and results must not depend on the input order.
 *
 * @returns The run at each position.
 */
export function keyOrder(keys: readonly string[]): Int32Array {
  const order = Int32Array.from(keys, (_, run) => run);
  return order.sort((a, b) => compareKeys(keys[a], keys[b]) || a - b);
}

export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns the position of each run in an order such as that of {@link keyOrder}. */
export function placesOf(order: Int32Array): Int32Array {
  const places = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) places[order[place]] = place;
  return places;
}
