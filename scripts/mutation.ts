import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCommandLine, refuseCommandLine } from './command-line.ts';
import type { Mutant } from './mutation/instrument.ts';
import { type Outcome, openSandbox, type Sandbox } from './mutation/sandbox.ts';

const DEFAULT_PACKAGES = [
  'schema',
  'vector-cache',
  'embedder',
  'scoring',
  'importers',
  'memory',
  'curation',
];

const USAGE = `bun run mutation [OPTION…] [PACKAGE…]

How many small changes of the code the tests of a package notice: its mutation score. Works in a copy
of the repository, with the tests in src and test of the package. What came of each mutant is kept in
.mutation/PACKAGE.json, so that a run that was stopped goes on; the entries of code or tests that have
changed since are still taken, until --fresh. Mutants in scripts/mutation/equivalent.json change
nothing that can be seen, and do not count.

  --sample N    tries so many of the mutants of each package
  --seed N      which ones; 1 unless told
  --jobs N      how many at a time; 1 unless told
  --in REGEXP   takes the mutants of files whose path matches
  --texts       empties texts too
  --seconds N   leaves out test files that take longer
  --again       tries those once more that survived
  --fresh       forgets what was kept

Packages: ${DEFAULT_PACKAGES.join(', ')}; all of them unless told`;

const root = join(import.meta.dir, '..');
const { values, positionals } = readCommandLine(USAGE, {
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    fresh: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    in: { type: 'string', default: '' },
    seconds: { type: 'string' },
    texts: { type: 'boolean', default: false },
  },
});
const sample = values.sample === undefined ? Infinity : wholeNumber('--sample', values.sample);
const seed = wholeNumber('--seed', values.seed);
const jobs = wholeNumber('--jobs', values.jobs);
const seconds = values.seconds === undefined ? Infinity : wholeNumber('--seconds', values.seconds);
const inFiles = pattern('--in', values.in);
const unknown = positionals.find((name) => !existsSync(join(root, 'packages', name, 'src')));
if (unknown !== undefined) {
  refuseCommandLine(USAGE, `mutation: expected names of folders in packages, received ${unknown}`);
}
const equivalent: Record<string, string> = JSON.parse(
  await readFile(join(import.meta.dir, 'mutation/equivalent.json'), 'utf8'),
);

let opening: Promise<Sandbox> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    await (await opening)?.close();
    process.exit(130);
  });
}

const rows: Record<string, unknown>[] = [];
for (const name of positionals.length > 0 ? positionals : DEFAULT_PACKAGES) {
  rows.push(await scoreOf(name));
}
console.table(rows);

/** Runs the mutants of a package that have no result yet; a row of the table. */
async function scoreOf(name: string): Promise<Record<string, unknown>> {
  const file = join(root, '.mutation', `${name}.json`);
  const isKept = !values.fresh && existsSync(file);
  const results: Record<string, Outcome> = isKept ? JSON.parse(await readFile(file, 'utf8')) : {};
  opening = openSandbox(root, `packages/${name}`, values.texts);
  const sandbox = await opening;
  try {
    const chosen = sampleOf(
      sandbox.mutants.filter((each) => !(each.key in equivalent) && inFiles.test(each.file)),
    );
    const queue = chosen.filter(({ key }) => {
      return results[key] === undefined || (values.again && results[key] === 'survived');
    });
    console.log(
      `${name}: ${sandbox.mutants.length} mutants, ${chosen.length} to try, ` +
        `${chosen.length - queue.length} of them tried before`,
    );
    await mkdir(join(root, '.mutation'), { recursive: true });
    const { usable, failing } = await sandbox.measure(
      file.replace(/json$/, values.texts ? 'with-texts.json' : 'tests.json'),
    );
    if (failing.length > 0) console.log(`without what fails in a copy: ${failing.join(', ')}`);
    const tests = usable.filter(({ milliseconds }) => milliseconds <= 1000 * seconds);
    let tried = 0;
    const work = async () => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const outcome = await sandbox.run(mutant, tests);
        results[mutant.key] = outcome;
        await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
        tried++;
        if (outcome === 'survived') console.log(describe(mutant));
        if (tried % 50 === 0) console.log(`${name}: ${queue.length} to go`);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    return rowOf(name, sandbox.mutants, chosen, results);
  } finally {
    opening = undefined;
    await sandbox.close();
  }
}

function rowOf(
  name: string,
  all: readonly Mutant[],
  chosen: readonly Mutant[],
  results: Readonly<Record<string, Outcome>>,
): Record<string, unknown> {
  const count = (outcome: Outcome) => chosen.filter(({ key }) => results[key] === outcome).length;
  const [killed, timedOut] = [count('killed'), count('timed out')];
  return {
    package: name,
    mutants: all.length,
    equivalent: all.filter(({ key }) => key in equivalent).length,
    tried: chosen.length,
    killed,
    'timed out': timedOut,
    survived: count('survived'),
    'score %': Number(((100 * (killed + timedOut)) / chosen.length).toFixed(1)),
  };
}

/** As many mutants as asked for, the same for the same seed. */
function sampleOf(mutants: readonly Mutant[]): Mutant[] {
  const ranks = new Map(mutants.map((mutant) => [mutant, Bun.hash(`${seed} ${mutant.key}`)]));
  const shuffled = [...mutants].sort((a, b) => {
    return (ranks.get(a) as bigint) < (ranks.get(b) as bigint) ? -1 : 1;
  });
  return shuffled.slice(0, sample);
}

function describe({ file, line, original, replacement, key }: Mutant): string {
  const [before, after] = [original, replacement].map((text) =>
    text.replace(/\s+/g, ' ').slice(0, 90),
  );
  return `survived  ${file}:${line}  ${before}  →  ${after || 'nothing'}\n          ${JSON.stringify(key)}`;
}

function pattern(name: string, text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    refuseCommandLine(USAGE, `${name}: expected a regular expression, received ${text}`);
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  refuseCommandLine(USAGE, `${name}: expected a whole number from 1, received ${text}`);
}
