import { type Command, Option } from 'commander';
import { LAYOUTS } from '../export/layouts.ts';
import { say } from '../output/terminal.ts';
import type { ChoiceFlags } from '../selection/choose-runs.ts';

interface Aliases {
  readonly inputFormat?: string;
  readonly quality?: 'none' | 'score';
}

export function addAliases(command: Command): void {
  command.addOption(new Option('--input-format <name>', 'now --format').hideHelp());
  const quality = new Option('--quality <what>', 'now --weigh-by').choices(['none', 'score']);
  command.addOption(quality.hideHelp());
}

/** Maps the former option names to the current ones; they keep working for one release. */
export function withoutAliases<Flags extends ChoiceFlags>(flags: Flags & Aliases): Flags {
  const { format, inputFormat, quality } = flags;
  const layout = LAYOUTS.find((name) => name === format);
  const renamed = (old: string, now: string): void => say(`warning ${old} is now ${now}`);
  if (layout !== undefined) {
    renamed(`--format ${layout}`, `--to ${layout}; --format names the format of the inputs`);
  }
  if (inputFormat !== undefined && layout === undefined) renamed('--input-format', '--format');
  if (quality !== undefined) renamed('--quality', '--weigh-by');
  return {
    ...flags,
    to: layout ?? flags.to,
    format: inputFormat ?? (layout === undefined ? format : 'auto'),
    weighBy: quality ?? flags.weighBy,
  };
}
