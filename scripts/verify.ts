interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Outside CI a failure is reported and the run goes on: the tests that need it say so and skip. */
  readonly optional?: boolean;
}

/** All that has to hold, cheapest first. The first failure ends the run. */
const STEPS: readonly Step[] = [
  {
    name: 'the browser that tests drive',
    command: ['sh', 'scripts/install-chromium.sh'],
    optional: true,
  },
  {
    name: 'the servers that tests of shared memories start',
    command: ['sh', 'scripts/install-servers.sh'],
    optional: true,
  },
  { name: 'lint and arrows', command: ['bunx', 'turbo', 'run', 'lint'] },
  {
    name: 'unused files, exports and dependencies',
    command: ['bunx', 'knip', '--no-config-hints'],
  },
  {
    name: 'build, types and tests',
    command: ['bunx', 'turbo', 'run', 'build', 'typecheck', 'test', '--concurrency=100%'],
  },
  {
    name: 'the latency table',
    command: ['bun', 'apps/bench/src/main.ts', 'check'],
  },
  { name: 'tests of the scripts', command: ['bun', 'test', './scripts'] },
  { name: 'the packed packages in empty projects', command: ['bun', 'run', 'test:packed'] },
];

const root = new URL('..', import.meta.url).pathname;
const startedAt = performance.now();
for (const { name, command, optional = false } of STEPS) {
  console.log(`\n── ${name}: ${command.join(' ')}`);
  const stepStartedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
  });
  const exitCode = await child.exited;
  console.log(`── ${name}: ${exitCode === 0 ? 'passed' : 'FAILED'} in ${seconds(stepStartedAt)}`);
  if (exitCode !== 0 && !(optional && process.env.CI === undefined)) process.exit(1);
}
console.log(`\nall passed in ${seconds(startedAt)}`);

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
