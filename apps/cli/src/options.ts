import { BUILT_IN_IMPORTERS, type ImportOptions } from '@kp/importers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { loadLabels } from './labels.ts';
import { collectDomains, domainRuleOf, parseSuccessRule, type SuccessRule } from './run-rules.ts';

/** What the options about the inputs of a command give. */
export interface InputFlags {
  readonly format: string;
  readonly domain?: readonly string[];
  readonly confidence?: number;
  readonly labels?: string;
  readonly success?: SuccessRule;
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
    .option(
      '--domain <name>',
      'task domain of imported runs, which picks the weights; tool=name for runs that call that tool; may be repeated',
      collectDomains,
    )
    .option('--labels <file>', 'JSON or CSV of run id, success and confidence')
    .option(
      '--success <field=value>',
      'a run succeeded when its recording says so there',
      parseSuccessRule,
    )
    .option(
      '--confidence <number>',
      'confidence of imported runs (default: what they record, else 0.5)',
      parseShare,
    )
    .option('--assume-failure', 'count imported runs without a verdict as failed');
}

/** @throws {@link UsageError} when the file of labels cannot be read. */
export async function importOptionsOf(flags: InputFlags): Promise<ImportOptions> {
  const { format, domain, labels, success, confidence } = flags;
  return {
    format,
    assumeSuccess: flags.assumeFailure !== true,
    ...(domain === undefined ? {} : { domain: domainRuleOf(domain) }),
    ...(labels === undefined ? {} : { labels: await loadLabels(labels) }),
    ...(success === undefined ? {} : { success }),
    ...(confidence === undefined ? {} : { confidence }),
  };
}

/** A number from 0 to 1. */
export function parseShare(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('expected a number from 0 to 1');
}

/** A whole number over 0. */
export function parseCount(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('expected a whole number over 0');
}
