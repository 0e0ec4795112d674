/**
 * Runs in ascending order of their content keys, by UTF-16 code units; equal keys in the order in
 * which they came. Everything is computed by place in this order: a sum of doubles depends on the
 * order of its terms, and no answer may depend on the order of the input.
 *
 * @returns the run at each place.
 */
export function keyOrder(keys: readonly string[]): Uint32Array {
  const order = Uint32Array.from(keys, (_, run) => run);
  return order.sort((a, b) => compareKeys(keys[a] as string, keys[b] as string) || a - b);
}

export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The place of each run, from {@link keyOrder}. */
export function placesOf(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) places[order[place] as number] = place;
  return places;
}
