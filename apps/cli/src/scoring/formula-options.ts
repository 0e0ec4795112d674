import { ProfileError, type ScorerOptions } from '@knowledgepulse/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { refused } from '../output/errors.ts';
import { readJson } from '../runs/inputs.ts';

/** What the options about the formula of scores give. */
export interface FormulaFlags {
  readonly profiles?: string;
  readonly lengthCap?: number;
}

/** Adds the options about how the dimensions are weighed. */
export function addFormulaOptions(command: Command): Command {
  return command
    .optionsGroup('Scoring:')
    .option('--profiles <file>', 'your weights by domain: JSON, such as from kp fit')
    .option(
      '--length-cap <number>',
      'limit what the number of steps adds to complexity (default: no limit)',
      parseCap,
    )
    .optionsGroup('Other options:');
}

/** @throws UsageError when the file of profiles cannot be read. */
export async function formulaOf({
  profiles: path,
  lengthCap,
}: FormulaFlags): Promise<Pick<ScorerOptions, 'profiles' | 'lengthCreditCap'>> {
  if (path === undefined) return { lengthCreditCap: lengthCap };
  const profiles = await readJson(path, '--profiles');
  return { profiles: profiles as ScorerOptions['profiles'], lengthCreditCap: lengthCap };
}

/** What is wrong with a profile, as wrong use; any other error as it is. */
export function profileRefused(error: unknown): unknown {
  return error instanceof ProfileError ? refused('--profiles', error) : error;
}

function parseCap(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0) return value;
  throw new InvalidArgumentError('expected a number of at least 0');
}
