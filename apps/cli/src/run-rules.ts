import type { JsonValue, RunFacts } from '@kp/importers';
import { InvalidArgumentError } from 'commander';

export type SuccessRule = (run: RunFacts) => boolean;

/** The domains that the `--domain` options give. */
export interface DomainRules {
  /** The domain of a run; undefined leaves it to what is recorded. */
  domainOf(run: RunFacts): string | undefined;
  /** The options that named a tool which no run up to now has called. */
  unused(): readonly string[];
}

/**
 * `name` for all runs, `tool=name` for runs that call that tool (`*` stands for any letters), the
 * first that fits before the one for all.
 */
export function domainRulesOf(words: readonly string[]): DomainRules {
  const rules = words.filter((word) => word.includes('=')).map(toolRule);
  const always = words.findLast((word) => !word.includes('='));
  const used = new Set<string>();
  return {
    domainOf(run) {
      const rule = rules.find(({ pattern }) => run.tools.some((tool) => pattern.test(tool)));
      if (rule !== undefined) used.add(rule.word);
      return rule?.domain ?? always;
    },
    unused: () => rules.map(({ word }) => word).filter((word) => !used.has(word)),
  };
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

function toolRule(word: string): { word: string; pattern: RegExp; domain: string } {
  const [tool = '', domain = ''] = word.split('=', 2);
  const letters = tool.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return { word, pattern: new RegExp(`^${letters.join('.*')}$`, 's'), domain };
}

function valueAt(record: JsonValue, path: readonly string[]): unknown {
  let value: unknown = record;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
