import { stripVTControlCharacters } from 'node:util';

/** Finds skipped tests and benchmarks: titles followed by a reason in brackets. */
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

/** Summarises the skips of a run by reason. */
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
  return ['skipped, with the reasons:', ...lines].join('\n');
}
