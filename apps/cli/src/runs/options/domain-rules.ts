import { escapeRegExp } from '@kp/foundation';
import type { RunFacts } from '@kp/importers';
import { InvalidArgumentError } from 'commander';

/** Domain assignments of the `--domain` options. */
export interface DomainRules {
  /** Returns the domain of a run; undefined keeps the recorded one. */
  domainOf(run: RunFacts): string | undefined;
  /** Options that name a tool no run has called so far. */
  unused(): readonly string[];
}

/**
 * Parses `name` for all runs or `tool=name` for runs that call that tool (`*` matches any letters).
 * The first matching tool rule takes precedence over the general one.
 */
export function domainRulesOf(words: readonly string[]): DomainRules {
  const rules = words.filter((word) => word.includes('=')).map(toolRule);
  const always = words.find((word) => !word.includes('='));
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

/** Collects the values of a repeated option for Commander. */
export function collectDomains(word: string, before: readonly string[] = []): readonly string[] {
  const [tool, domain] = word.split('=', 2);
  if (tool === '' || domain === '') {
    throw new InvalidArgumentError('expected a domain, or tool=domain');
  }
  const other = before.find((earlier) => domain === undefined && !earlier.includes('='));
  if (other !== undefined) {
    throw new InvalidArgumentError(`expected one domain for all runs, received ${other} before`);
  }
  return [...before, word];
}

function toolRule(word: string): { word: string; pattern: RegExp; domain: string } {
  const [tool = '', domain = ''] = word.split('=', 2);
  const letters = tool.split('*').map(escapeRegExp);
  return { word, pattern: new RegExp(`^${letters.join('.*')}$`, 's'), domain };
}
