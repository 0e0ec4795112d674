import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

/** All that has to hold, cheapest first. The first failure ends the run. */
const STEPS: readonly Step[] = [
  { name: 'lint and arrows', command: ['bunx', 'turbo', 'run', 'lint'] },
  {
    name: 'unused files, exports and dependencies',
    command: ['bunx', 'knip', '--no-config-hints'],
  },
  {
    name: 'build and types',
    command: ['bunx', 'turbo', 'run', 'build', 'typecheck', '--concurrency=100%'],
  },
  // One package after the other: servers are killed and stopped within limits of time, and what else
  // takes the processors would decide whether they hold.
  { name: 'tests', command: ['bunx', 'turbo', 'run', 'test', '--concurrency=1'] },
  {
    name: 'the latency table',
    command: ['bun', 'apps/bench/src/main.ts', 'check'],
  },
  { name: 'tests of the scripts', command: ['bun', 'test', './scripts'] },
  { name: 'the packed packages in empty projects', command: ['bun', 'run', 'test:packed'] },
];

const root = join(import.meta.dir, '..');
const startedAt = performance.now();
for (const { name, command } of STEPS) {
  console.log(`\n── ${name}: ${command.join(' ')}`);
  const stepStartedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
  });
  const exitCode = await child.exited;
  console.log(`── ${name}: ${exitCode === 0 ? 'passed' : 'FAILED'} in ${seconds(stepStartedAt)}`);
  if (exitCode !== 0) process.exit(1);
}
console.log(`\nall passed in ${seconds(startedAt)}`);
if (!existsSync(process.env.KP_CHROMIUM ?? '/usr/bin/chromium')) {
  console.log(
    'without a browser, so that its tests were skipped: sh scripts/install-chromium.sh says how',
  );
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
