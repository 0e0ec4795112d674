import { BUILT_IN_IMPORTERS, type ImportOptions } from '@kp/importers';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** What the options about the inputs of a command give. */
export interface InputFlags {
  readonly format: string;
  readonly domain?: string;
  readonly confidence?: number;
  readonly assumeFailure?: boolean;
}

/** Adds the options that every command which reads recordings has. */
export function addInputOptions(command: Command): Command {
  const formats = BUILT_IN_IMPORTERS.map(({ name }) => name);
  return command
    .addOption(
      new Option(
        '--format <name>',
        'format of the inputs, when it is not to be told from their content',
      )
        .choices(['auto', ...formats])
        .default('auto'),
    )
    .option('--domain <name>', 'task domain of imported runs; picks the weight profile')
    .option(
      '--confidence <number>',
      'confidence of imported runs that record none (default: 0.5)',
      parseShare,
    )
    .option(
      '--assume-failure',
      'count imported runs that do not say whether they succeeded as failed',
    );
}

export function importOptionsOf(flags: InputFlags): ImportOptions {
  return {
    format: flags.format,
    assumeSuccess: flags.assumeFailure !== true,
    ...(flags.domain === undefined ? {} : { domain: flags.domain }),
    ...(flags.confidence === undefined ? {} : { confidence: flags.confidence }),
  };
}

/** A number from 0 to 1. */
export function parseShare(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('expected a number from 0 to 1');
}
