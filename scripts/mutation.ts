import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine, refuseCommandLine } from './command-line.ts';

const USAGE = `bun run maintain mutation PACKAGE [--files PATTERN] [--jobs N]

Makes small changes to the code of a package, one at a time, and lists those that no test detects,
with the share that was detected. StrykerJS makes the changes in a copy of the repository.

  --files PATTERN   files below the package's src, such as 'formula/**' (default: all)
  --jobs N          number of changes to try at once (default: 2)`;

const STRYKER = '@stryker-mutator/core@10.1.1';
const root = join(import.meta.dir, '..');
const { values, positionals } = readCommandLine(USAGE, {
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '**/*.ts' },
    jobs: { type: 'string', default: '2' },
  },
});
const [name = 'no package'] = positionals;
if (positionals.length !== 1 || !existsSync(join(root, 'packages', name, 'src'))) {
  refuseCommandLine(USAGE, `mutation: expected one folder of packages/, received ${name}`);
}

const folder = await mkdtemp(join(tmpdir(), 'kp-mutation-'));
try {
  const settings = {
    testRunner: 'command',
    commandRunner: { command: `cd packages/${name} && bun test --bail` },
    mutate: [`packages/${name}/src/${values.files}`, '!**/*.test.ts', '!**/*.test-d.ts'],
    // Leave tsconfig.json unchanged: Bun resolves our packages by its paths.
    tsconfigFile: 'none',
    coverageAnalysis: 'off',
    reporters: ['clear-text', 'progress-append-only'],
    concurrency: Number(values.jobs),
    tempDirName: join(folder, 'copies'),
  };
  const config = join(folder, 'stryker.json');
  await Bun.write(config, JSON.stringify(settings));
  const command = ['bunx', '--bun', '-p', STRYKER, 'stryker', 'run', config];
  const child = Bun.spawn(command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  process.exitCode = await child.exited;
} finally {
  await rm(folder, { recursive: true, force: true });
}
