import type { SelectionObjective } from '@kp/curation';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { LAYOUTS } from '../export/layouts.ts';
import type { AgentFlags } from '../outcomes/agents.ts';
import type { OutcomeModelFlags } from '../outcomes/outcome-model-file.ts';
import { conflict, type UsageError, wrongUse } from '../output/errors.ts';
import { parseCount } from '../runs/options/option-parsers.ts';
import { addGroupOption, type GroupFlags } from '../runs/task-groups.ts';
import { WEIGHTS, type Weight } from './run-weights.ts';

/** Flags that say what is chosen. */
export interface SelectionFlags extends GroupFlags {
  readonly objective: SelectionObjective;
  readonly weighBy: Weight;
  readonly perGroup?: number;
  readonly minGain?: number;
  /** False for `--no-outcomes`. */
  readonly outcomes: boolean;
  /** Whether runs without an outcome are eligible by an estimate. */
  readonly allowEstimated?: boolean;
  /** Recordings that the user already has. */
  readonly seededBy?: string;
}

/** Adds `--to`, the layout of the runs in a file. */
export function addLayoutOption(command: Command): Command {
  return command.addOption(
    new Option('--to <layout>', `output format: ${LAYOUTS.join(', ')}`)
      .choices(LAYOUTS)
      .default('native'),
  );
}

/** Adds the options that say what is chosen, apart from the number of runs. */
export function addSelectionOptions(command: Command): Command {
  command
    .addOption(
      new Option(
        '--objective <name>',
        'selection method: facility-location, mmr or k-center; the last two are for comparison',
      )
        .choices(['facility-location', 'mmr', 'k-center'])
        .default('facility-location'),
    )
    .addOption(
      new Option(
        '--weigh-by <what>',
        'prefer runs by: none, score, grade, agreement or estimate; see docs/outcomes.md',
      )
        .choices(WEIGHTS)
        .default('none'),
    )
    .option(
      '--per-group <count>',
      'choose at most this many runs of a task, or of a group of --group-by',
      parseCount,
    )
    .option(
      '--min-gain <runs>',
      'stop when the next run would cover less than this many more runs',
      parseGain,
    )
    .option('--no-outcomes', 'also choose from failed runs and runs without a verdict')
    .option('--allow-estimated', 'with --outcome-model: choose also by an estimated success')
    .option('--seeded-by <file>', 'runs that you already have: choose what they lack');
  return addGroupOption(command);
}

/** @throws UsageError for a minimum gain with a method that has no gains. */
export function checkObjective({
  objective,
  minGain,
}: Pick<SelectionFlags, 'objective' | 'minGain'>): void {
  if (minGain === undefined || objective === 'facility-location') return;
  throw conflict('--min-gain', `--objective ${objective}`, 'it stops by distance');
}

type EvidenceFlags = Pick<SelectionFlags, 'weighBy' | 'allowEstimated' | 'outcomes'> &
  AgentFlags &
  OutcomeModelFlags;

/**
 * @param remedy - how to give a model; default: by its option.
 * @throws UsageError for options about evidence that have no effect without each other.
 */
export function checkEvidenceOptions(flags: EvidenceFlags, remedy?: string): void {
  const { weighBy, agentKey, outcomeModel } = flags;
  if (flags.allowEstimated === true && !flags.outcomes) {
    throw conflict('--allow-estimated', '--no-outcomes', 'all runs are eligible without outcomes');
  }
  const isEstimated = usesEstimates(flags);
  if (isEstimated && outcomeModel === undefined) throw withoutModel(flags, remedy);
  if (!isEstimated && outcomeModel !== undefined) {
    const expected = '--allow-estimated or --weigh-by estimate';
    throw wrongUse('--outcome-model', expected, 'none', 'estimates are not recorded outcomes');
  }
  if (agentKey !== undefined && !isEstimated && weighBy !== 'agreement') {
    throw wrongUse('--agent-key', '--weigh-by agreement or an --outcome-model', 'none');
  }
}

/** Whether a selection uses estimates of outcomes. */
export function usesEstimates({
  weighBy,
  allowEstimated,
}: Pick<SelectionFlags, 'weighBy' | 'allowEstimated'>): boolean {
  return weighBy === 'estimate' || allowEstimated === true;
}

/** Creates the error for estimates without a model. */
function withoutModel(
  { allowEstimated }: Pick<SelectionFlags, 'allowEstimated'>,
  remedy?: string,
): UsageError {
  const option = allowEstimated === true ? '--allow-estimated' : '--weigh-by estimate';
  return wrongUse(option, '--outcome-model with a model from kp fit --outcome', 'none', remedy);
}

function parseGain(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('expected a number of at least 0');
}
