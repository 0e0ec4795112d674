/** Sets the value at a path of keys in place; `undefined` removes the field. */
export function changeAt(root: object, path: readonly (string | number)[], value: unknown): void {
  const parent = path.slice(0, -1).reduce<object>((object, key) => Reflect.get(object, key), root);
  const last = path.at(-1);
  if (last === undefined) throw new RangeError('path: expected at least 1 key, received none');
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
}

/** Every path of a JSON value below its root. */
export function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return keys.flatMap((key) => {
    const here = [...path, key];
    return [here, ...pathsOf(Reflect.get(value, key), here)];
  });
}
