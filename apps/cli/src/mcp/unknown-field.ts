import { findUnknownOption, type OptionNames } from '@kp/foundation';

/**
 * Describes the first field with an unknown name, and the field that was probably meant.
 *
 * @param names - an object with a property for each known field.
 */
export function unknownField(
  given: object,
  names: OptionNames,
): { readonly expected: string; readonly received: string } | undefined {
  const unknown = findUnknownOption(given, names);
  if (unknown === undefined) return undefined;
  const { expected, name, remedy } = unknown;
  return { expected, received: remedy === undefined ? name : `${name}; ${remedy}` };
}
