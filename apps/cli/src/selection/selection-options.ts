import { type Command, Option } from 'commander';
import { LAYOUTS } from '../export/layouts.ts';
import { wrongUse } from '../output/errors.ts';
import { parseCount } from '../runs/options.ts';
import { addGroupOption } from '../runs/task-groups.ts';

/** Adds `--to`, the layout of the runs in a file. */
export function addLayoutOption(command: Command): Command {
  return command.addOption(
    new Option('--to <layout>', `output format: ${LAYOUTS.join(', ')}`)
      .choices(LAYOUTS)
      .default('native'),
  );
}

/** Adds the options that limit which runs a selection may contain. */
export function addLimitOptions(command: Command): Command {
  command
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
    .option('--no-outcomes', 'also choose from failed runs and runs without a verdict');
  return addGroupOption(command);
}

function parseGain(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw wrongUse('--min-gain', 'a number of at least 0', text);
}
