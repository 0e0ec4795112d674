import { findUnknownOption, type OptionNames } from '@kp/foundation';
import { IntegrationError } from './integration-error.ts';

/**
 * Rejects a name that does not exist, which would silently have no effect.
 *
 * @param subject - what was given, such as `options`.
 * @param names - an object with a property for each name.
 * @throws {@link IntegrationError} `OPTION_INVALID` if a name is unknown.
 */
export function checkNames(subject: string, given: object, names: OptionNames): void {
  const unknown = findUnknownOption(given, names);
  if (unknown === undefined) return;
  throw new IntegrationError('OPTION_INVALID', {
    subject,
    expected: unknown.expected,
    received: unknown.name,
    remedy: unknown.remedy ?? 'leave it out',
  });
}
