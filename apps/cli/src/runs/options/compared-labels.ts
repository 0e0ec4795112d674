import { wrongUse } from '../../output/errors.ts';
import { oneLine } from '../../output/text.ts';
import type { Input } from '../inputs/input.ts';
import { resolveInputs } from '../inputs/inputs.ts';
import type { InputFlags } from './options.ts';

/**
 * Returns the inputs of the other set of a comparison that are not in this one; none without labels.
 *
 * @throws UsageError for a stream in either set: it is read only once, so no label could name runs of both sets.
 */
export async function filesOfOtherSet(
  operands: readonly string[] | undefined,
  inputs: readonly Input[],
  flags: InputFlags,
): Promise<readonly Input[]> {
  if (operands === undefined || flags.labels === undefined) return [];
  const others = await resolveInputs(operands, flags);
  const stream = [...inputs, ...others.inputs].find(({ bytes }) => bytes === undefined);
  if (stream !== undefined) {
    throw wrongUse(
      '--labels',
      'files on both sides of a comparison',
      oneLine(stream.name),
      'save it to a file first',
    );
  }
  const own = new Set(inputs.map(({ path }) => path));
  return others.inputs.filter(({ path }) => !own.has(path));
}
