import { createOutcomeEstimator, type OutcomeEstimator, type OutcomeModel } from '@kp/curation';
import { codeOf } from '@kp/foundation';
import type { Command } from 'commander';
import { refused } from '../output/errors.ts';
import { readJson } from '../runs/inputs/named-files.ts';

/** Flags of `--outcome-model`. */
export interface OutcomeModelFlags {
  /** A file written by `kp fit --outcome`. */
  readonly outcomeModel?: string;
}

/** Adds `--outcome-model`. */
export function addOutcomeModelOption(command: Command): Command {
  return command.option(
    '--outcome-model <file>',
    'estimate outcomes with a model from kp fit --outcome',
  );
}

/**
 * Reads a model and creates its estimator.
 *
 * @throws UsageError if the file cannot be read or contains no model of this version.
 */
export async function loadOutcomeModel({
  outcomeModel: path,
}: OutcomeModelFlags): Promise<OutcomeEstimator | undefined> {
  if (path === undefined) return undefined;
  const option = `--outcome-model ${path}`;
  const model = (await readJson(path, '--outcome-model')) as OutcomeModel;
  try {
    return createOutcomeEstimator(model);
  } catch (error) {
    throw codeOf(error) === 'CURATION_INPUT_INVALID' ? refused(option, error) : error;
  }
}
