import type { RunFacts } from '@kp/importers';
import { InvalidArgumentError } from 'commander';

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

function toolRule(word: string): { word: string; pattern: RegExp; domain: string } {
  const [tool = '', domain = ''] = word.split('=', 2);
  const letters = tool.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return { word, pattern: new RegExp(`^${letters.join('.*')}$`, 's'), domain };
}
