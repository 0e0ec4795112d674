import { stripVTControlCharacters } from 'node:util';

/** What a run of tests, or of the bench, left out: each title with its reason in brackets behind it. */
export function findSkips(output: string): string[] {
  const skips: string[] = [];
  for (const line of output.split(/\r?\n/)) {
    const plain = stripVTControlCharacters(line);
    const [, test] = /(?:^|: )(?:\(skip\)|») (.+)$/.exec(plain) ?? [];
    const [, row, reason] = /(?:^|: )NOT MEASURED: (.+?): (.+)$/.exec(plain) ?? [];
    if (test !== undefined) skips.push(test);
    else if (row !== undefined) skips.push(`${row} [${reason}]`);
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
