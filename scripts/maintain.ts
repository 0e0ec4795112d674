import { join } from 'node:path';

interface Task {
  readonly name: string;
  /** The purpose as listed in CONTRIBUTING.md. */
  readonly purpose: string;
  readonly command: readonly string[];
  /** Whether the task needs built packages, which are then built first. */
  readonly needsBuild?: boolean;
}

const bun = process.execPath;
const root = join(import.meta.dir, '..');

/** All tasks beyond the four scripts that every contributor needs. */
export const TASKS: readonly Task[] = [
  { name: 'build', purpose: 'build every package', command: ['bunx', 'turbo', 'run', 'build'] },
  {
    name: 'lint',
    purpose: 'check formatting, imports between packages, translations, phrases and spelling',
    command: [bun, 'run', '--cwd', 'scripts', 'lint'],
  },
  {
    name: 'typecheck',
    purpose: 'check the types of everything',
    command: [bun, 'run', '--cwd', 'scripts', 'typecheck'],
  },
  {
    name: 'unused',
    purpose: 'find unused files, exports and dependencies',
    command: [bun, 'run', '--cwd', 'scripts', 'unused'],
  },
  {
    name: 'bench',
    purpose: 'run the benchmarks; `bench --help` lists them',
    command: [bun, 'apps/bench/src/main.ts'],
    needsBuild: true,
  },
  {
    name: 'packed',
    purpose: 'test the packed packages in empty projects, bundles and a browser',
    command: ['bunx', 'turbo', 'run', 'packed'],
  },
  {
    name: 'pack',
    purpose: 'pack every published package into a folder, to install without a registry',
    command: [bun, 'scripts/pack.ts'],
    needsBuild: true,
  },
  {
    name: 'platform',
    purpose: 'run the tests that depend on the operating system',
    command: [
      ...['bunx', 'turbo', 'run', 'test', '--concurrency=1'],
      ...['schema', 'vector-cache', 'embedder', 'importers', 'scoring', 'curation'].map(
        (name) => `--filter=@kp/${name}`,
      ),
      ...['--filter=@knowledgepulse/sdk', '--filter=@knowledgepulse/cli'],
    ],
  },
  {
    name: 'nightly',
    purpose: 'test more bundlers, runtimes, Next.js, Jest and agent frameworks',
    command: [bun, 'scripts/nightly.ts'],
    needsBuild: true,
  },
  {
    name: 'fuzz',
    purpose: 'read damaged recordings, archives, databases, snapshots and models',
    command: [bun, 'scripts/fuzz/main.ts'],
  },
  {
    name: 'mutation',
    purpose: 'change the code of a package and see whether its tests fail',
    command: [bun, 'scripts/mutation.ts'],
  },
  {
    name: 'conformance',
    purpose: 'write what the reference of the formula expects to conformance/*.json',
    command: [bun, 'conformance/reference/regenerate.ts'],
  },
  {
    name: 'formats',
    purpose: 'write the lists of formats in the documentation',
    command: [bun, 'packages/importers/scripts/format-docs.ts'],
  },
  {
    name: 'api',
    purpose: 'write the public interface of each package to its folder api/',
    command: [bun, 'apps/api/src/main.ts'],
    needsBuild: true,
  },
  {
    name: 'docs',
    purpose: 'serve the documentation; `docs build` writes it to apps/site/dist',
    command: [bun, 'apps/site/src/main.ts'],
    needsBuild: true,
  },
  {
    name: 'translations',
    purpose: 'check the translations; `--stamp FILE` marks one as up to date',
    command: [bun, 'scripts/check-translations.ts'],
  },
  {
    name: 'phrases',
    purpose: 'count the phrases that our texts avoid; `--all` lists their uses',
    command: [bun, 'scripts/check-phrases.ts'],
  },
  {
    name: 'messages',
    purpose: 'list the texts of the command and of all errors',
    command: [bun, 'scripts/list-messages.ts'],
  },
  {
    name: 'words',
    purpose: 'check the spelling; `--add` accepts the unknown words',
    command: [bun, 'scripts/check-words.ts'],
  },
  {
    name: 'pictures',
    purpose: 'draw the pictures of the documentation',
    command: [bun, 'scripts/draw-pictures.ts'],
  },
  {
    name: 'playground',
    purpose: 'serve the playground; `--build FOLDER` writes it to a folder',
    command: [bun, 'apps/playground/scripts/main.ts'],
  },
  {
    name: 'change-check',
    purpose: 'check that each changed package has a changeset',
    command: [bun, 'scripts/release/check-change.ts'],
  },
  {
    name: 'version',
    purpose: 'turn the changesets into a version and change logs',
    command: [bun, 'scripts/release/version.ts'],
  },
  {
    name: 'rehearse',
    purpose: 'publish to a registry on this machine, install and run everything from it',
    command: [bun, 'scripts/release/rehearse.ts'],
    needsBuild: true,
  },
  {
    name: 'release',
    purpose: 'publish the tagged commit',
    command: [bun, 'scripts/release/main.ts'],
    needsBuild: true,
  },
];

const USAGE = `bun run maintain NAME [ARGUMENTS…]

${TASKS.map(({ name, purpose }) => `  ${name.padEnd(13)} ${purpose}`).join('\n')}

\`bun run maintain NAME --help\` says what a script accepts.`;

/** Runs a task and returns its exit code; 2 for wrong usage. */
async function maintain([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h') {
    console.log(USAGE);
    return 0;
  }
  const task = TASKS.find((each) => each.name === name);
  if (task === undefined) {
    console.error(`maintain: expected one of the names below, received ${name}\n\n${USAGE}`);
    return 2;
  }
  const isHelp = rest.includes('--help') || rest.includes('-h');
  if (task.needsBuild === true && !isHelp) {
    const built = await run(['bunx', 'turbo', 'run', 'build', '--output-logs=errors-only']);
    if (built !== 0) return built;
  }
  return run([...task.command, ...rest]);
}

async function run(command: readonly string[]): Promise<number> {
  const child = Bun.spawn([...command], { cwd: root, stdio: ['inherit', 'inherit', 'inherit'] });
  return child.exited;
}

if (import.meta.main) {
  // The child receives these signals, too, and cleans up; wait for it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.exit(await maintain(process.argv.slice(2)));
}
