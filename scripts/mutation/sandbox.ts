import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Glob } from 'bun';
import { instrument, type Mutant, switchModule } from './instrument.ts';

/** What came of a mutant. */
export type Outcome = 'killed' | 'survived' | 'timed out';

/** A test file that passes with no mutant on. */
interface TestFile {
  readonly file: string;
  readonly milliseconds: number;
  /** Mutants that it reaches in its own process. */
  readonly reached: ReadonlySet<number>;
}

/** What came of a test file with no mutant on, as it is kept from one run to the next. */
interface Measured {
  /** Of the test and of all code it may run: what is measured again when they change. */
  readonly digest: string;
  readonly hasPassed: boolean;
  readonly milliseconds: number;
  readonly reached: readonly number[];
}

/** A copy of the repository, in which one package has all of its mutants. */
export interface Sandbox {
  readonly mutants: readonly Mutant[];
  /** Runs each test file alone, unless the file at the path knows it; those that fail are of no use. */
  measure(keptAt: string): Promise<{ usable: TestFile[]; failing: string[] }>;
  run(mutant: Mutant, tests: readonly TestFile[]): Promise<Outcome>;
  /** Ends the tests under way and removes the copy. */
  close(): Promise<void>;
}

// Nothing to change in them but the list of what is exported, or what a program has written.
const LEFT_ALONE = /\.test\.ts$|\.test-d\.ts$|\/index\.ts$|\/generated\/|kernel-bytes\.ts$/;
// Its text is the program of a worker, where there is no switch.
const NOT_FOR_SWITCHES = /vector-cache\/src\/graph-blocks\.ts$/;
// A test that takes so much longer than without a mutant does not end.
const SLOWER = 5;
const GRACE_MS = 6000;
// Slower test files have a process each, so that the quickest that notices a mutant is the last.
const QUICK_MS = 500;

/** @param withTexts - whether texts are changed too. */
export async function openSandbox(
  root: string,
  packageFolder: string,
  withTexts: boolean,
): Promise<Sandbox> {
  const copy = await mkdtemp(join(tmpdir(), 'kp-mutation-'));
  // A server that is no root has its files there.
  await chmod(copy, 0o755);
  const temporary = join(copy, 'temporary');
  await mkdir(temporary);
  const running = new Set<Bun.Subprocess>();
  const cwd = join(copy, packageFolder);
  await copyTracked(root, copy);
  // By its whole path: a test may copy the code to elsewhere.
  const switchPath = join(copy, 'mutation-switch.ts');
  await writeFile(switchPath, switchModule);
  // Of the copy: the code may be changed while the tests of it are run.
  const code = await digestOf(cwd, await filesOf(cwd, (name) => !name.endsWith('.test.ts')));

  const mutants: Mutant[] = [];
  const names = [...new Glob(`${packageFolder}/src/**/*.ts`).scanSync({ cwd: copy })].sort();
  for (const file of names) {
    if (LEFT_ALONE.test(file) || NOT_FOR_SWITCHES.test(file)) continue;
    const path = join(copy, file);
    const source = await readFile(path, 'utf8');
    const result = instrument(file, source, mutants.length, switchPath, withTexts);
    await writeFile(path, result.code);
    mutants.push(...result.mutants);
  }

  let isClosed = false;

  const test = async (files: readonly string[], env: Record<string, string>, limitMs: number) => {
    if (isClosed) await new Promise(() => undefined);
    const child = Bun.spawn([process.execPath, 'test', '--timeout=60000', '--bail', ...files], {
      cwd,
      env: { ...process.env, TMPDIR: temporary, ...env },
      stdio: ['ignore', 'ignore', 'ignore'],
      // A group of its own, with the servers that it starts.
      detached: true,
    });
    running.add(child);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child);
    }, limitMs);
    const exitCode = await child.exited;
    clearTimeout(timer);
    running.delete(child);
    endGroup(child);
    // It has failed because it was ended, which says nothing of the mutant.
    if (isClosed) await new Promise(() => undefined);
    return { isLate, hasPassed: exitCode === 0 };
  };

  const measureFile = async (file: string): Promise<Omit<Measured, 'digest'>> => {
    const coverage = join(copy, 'coverage.txt');
    await rm(coverage, { force: true });
    const run = () => test([`./${file}`], { KP_MUTATION_COVERAGE: coverage }, 600_000);
    let startedAt = performance.now();
    let { hasPassed } = await run();
    if (!hasPassed) {
      // A test that wants its time may miss it once on a busy machine.
      startedAt = performance.now();
      ({ hasPassed } = await run());
    }
    const milliseconds = performance.now() - startedAt;
    const reached = await readFile(coverage, 'utf8').catch(() => '');
    const ids = new Set((reached.match(/\d+/g) ?? []).map(Number));
    return { hasPassed, milliseconds, reached: [...ids] };
  };

  return {
    mutants,

    async measure(keptAt) {
      const isKept = await Bun.file(keptAt).exists();
      const known: Record<string, Measured> = isKept ? await Bun.file(keptAt).json() : {};
      const usable: TestFile[] = [];
      const failing: string[] = [];
      for (const file of await filesOf(cwd, (name) => name.endsWith('.test.ts'))) {
        const digest = `${code} ${await digestOf(cwd, [file])}`;
        const kept = known[file];
        const found = kept?.digest === digest ? kept : { digest, ...(await measureFile(file)) };
        if (found !== kept) await writeFile(keptAt, JSON.stringify({ ...known, [file]: found }));
        known[file] = found;
        const { hasPassed, milliseconds, reached } = found;
        if (hasPassed) usable.push({ file, milliseconds, reached: new Set(reached) });
        else failing.push(file);
      }
      return { usable, failing };
    },

    async run(mutant, tests) {
      const env = { KP_MUTANT: String(mutant.id) };
      for (const files of inTurns(mutant, tests)) {
        const usual = files.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
        const paths = files.map(({ file }) => `./${file}`);
        const limitMs = usual * SLOWER + GRACE_MS;
        let { isLate, hasPassed } = await test(paths, env, limitMs);
        if (isLate) {
          // A busy machine makes them late without a mutant, too.
          const startedAt = performance.now();
          await test(paths, {}, 600_000);
          const needed = (performance.now() - startedAt) * SLOWER;
          if (needed > limitMs) {
            ({ isLate, hasPassed } = await test(paths, env, needed + GRACE_MS));
          }
        }
        if (isLate) return 'timed out';
        if (!hasPassed) return 'killed';
      }
      return 'survived';
    },

    async close() {
      isClosed = true;
      for (const child of running) endGroup(child);
      await Promise.all([...running].map((child) => child.exited));
      await rm(copy, { recursive: true, force: true }).catch((error: Error) => {
        // A disk that a test has mounted there, and did not come to take away.
        console.warn(`${copy} is left: ${error.message}`);
      });
    },
  };
}

/** Ends a test and what it has started, which a test that is killed cannot do itself. */
function endGroup(child: Bun.Subprocess): void {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // There are no groups on Windows, and none any more of what has ended.
    child.kill('SIGKILL');
  }
}

/**
 * The test files that reach a mutant, or all when none says it does: the quick one beside its file,
 * the other quick ones, and each slow one, the quickest first.
 */
function inTurns(mutant: Mutant, tests: readonly TestFile[]): TestFile[][] {
  const reaching = tests.filter(({ reached }) => reached.has(mutant.id));
  const wanted = (reaching.length > 0 ? reaching : [...tests]).sort((a, b) => {
    return a.milliseconds - b.milliseconds;
  });
  const quick = wanted.filter(({ milliseconds }) => milliseconds <= QUICK_MS);
  const slow = wanted.filter((each) => !quick.includes(each));
  const beside = basename(mutant.file).replace(/\.ts$/, '.test.ts');
  const first = quick.filter(({ file }) => basename(file) === beside);
  const others = quick.filter((each) => !first.includes(each));
  return [first, others, ...slow.map((each) => [each])].filter((files) => files.length > 0);
}

/** Files of code of a package, sorted. */
async function filesOf(folder: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const names = await Array.fromAsync(new Glob('{src,test}/**/*.ts').scan({ cwd: folder }));
  return names.filter(isWanted).sort();
}

async function digestOf(folder: string, files: readonly string[]): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const file of files) hasher.update(await readFile(join(folder, file)));
  return hasher.digest('hex').slice(0, 16);
}

async function copyTracked(root: string, copy: string): Promise<void> {
  const listed = await Bun.$`git ls-files -z --cached --others --exclude-standard`.cwd(root).text();
  const folders = new Set<string>(['.']);
  for (const file of listed.split('\0').filter((name) => name !== '')) {
    const from = join(root, file);
    if (!(await Bun.file(from).exists())) continue;
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(from, join(copy, file));
    if (basename(file) === 'package.json') folders.add(dirname(file));
  }
  for (const folder of folders) {
    const modules = join(root, folder, 'node_modules');
    await symlink(modules, join(copy, folder, 'node_modules')).catch(() => undefined);
  }
}
