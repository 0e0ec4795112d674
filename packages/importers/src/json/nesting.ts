import type { JsonValue } from './json-value.ts';

/** Levels of arrays and objects in a value beyond which it is not read: recursion has an end. */
export const MAX_NESTING = 512;

/** Whether a value has more than `levels` arrays and objects one inside the other. */
export function isNestedDeeper(value: JsonValue, levels: number = MAX_NESTING): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const children = Array.isArray(value) ? value : Object.values(value);
  return children.some((child) => isNestedDeeper(child, levels - 1));
}
