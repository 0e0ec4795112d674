import { stripVTControlCharacters } from 'node:util';

/**
 * What a run of tests or of the bench left out: the title of each skipped test, which ends in its
 * reason in brackets, and what follows `SKIPPED: ` on a line of anything else.
 */
export function findSkips(output: string): string[] {
  const skips: string[] = [];
  for (const line of output.split(/\r?\n/)) {
    const [, test, other] =
      /(?:^|: )(?:\(skip\) |» )(.+)$|(?:^|: )SKIPPED: (.+)$/.exec(stripVTControlCharacters(line)) ??
      [];
    const skip = test ?? other;
    if (skip !== undefined) skips.push(skip);
  }
  return skips;
}

/** The skips of a whole run by their reason, for the end of its output. */
export function summarizeSkips(skips: readonly string[]): string {
  if (skips.length === 0) return 'nothing was skipped';
  const titlesOf = new Map<string, Set<string>>();
  for (const skip of skips) {
    const [, title = skip, reason = 'no reason given'] = /^(.*) \[(.*)\]$/.exec(skip) ?? [];
    titlesOf.set(reason, (titlesOf.get(reason) ?? new Set()).add(title));
  }
  const lines = [...titlesOf].flatMap(([reason, titles]) => [
    `  ${reason}`,
    ...[...titles].map((title) => `    ${title}`),
  ]);
  return ['skipped, and why:', ...lines].join('\n');
}
