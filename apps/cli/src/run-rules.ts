import type { JsonValue, RunFacts } from '@kp/importers';
import { InvalidArgumentError } from 'commander';

/** Decides by what is known of a run; undefined leaves it to the next way of knowing. */
export type DomainRule = (run: RunFacts) => string | undefined;
export type SuccessRule = (run: RunFacts) => boolean;

/**
 * The domain that the `--domain` options give: `name` for all runs, `tool=name` for runs that call
 * that tool (`*` stands for any letters), the first that fits before the one for all.
 */
export function domainRuleOf(words: readonly string[]): DomainRule {
  const rules = words.filter((word) => word.includes('=')).map(toolRule);
  const always = words.findLast((word) => !word.includes('='));
  return (run) =>
    rules.find(({ pattern }) => run.tools.some((tool) => pattern.test(tool)))?.domain ?? always;
}

/** For commander: collects the values of an option that may be given several times. */
export function collectDomains(word: string, before: readonly string[] = []): readonly string[] {
  const [tool, domain] = word.split('=', 2);
  if (tool === '' || domain === '') {
    throw new InvalidArgumentError('expected a domain, or tool=domain');
  }
  return [...before, word];
}

/** `FIELD=VALUE`: a run succeeded when that field of its recording, a path with dots, has the value. */
export function parseSuccessRule(word: string): SuccessRule {
  const at = word.indexOf('=');
  if (at < 1)
    throw new InvalidArgumentError('expected FIELD=VALUE, such as info.exit_status=submitted');
  const path = word.slice(0, at).split('.');
  const wanted = word.slice(at + 1);
  return (run) => {
    const value = valueAt(run.record, path);
    return (typeof value === 'string' ? value : JSON.stringify(value)) === wanted;
  };
}

function toolRule(word: string): { pattern: RegExp; domain: string } {
  const [tool = '', domain = ''] = word.split('=', 2);
  const letters = tool.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return { pattern: new RegExp(`^${letters.join('.*')}$`, 's'), domain };
}

function valueAt(record: JsonValue, path: readonly string[]): unknown {
  let value: unknown = record;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
