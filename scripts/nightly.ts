/**
 * What takes too long for each verify: other runtimes, bundlers of other makes and ages, Next.js,
 * Jest, and agent frameworks. Wants a build and a network, and installs what it tries into temporary
 * folders.
 */
const FILES = ['runtimes', 'bundlers', 'next', 'jest', 'frameworks'] as const;

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !FILES.some((file) => file === name));
if (unknown !== undefined) {
  throw new RangeError(`nightly: expected names among ${FILES.join(', ')}, received ${unknown}`);
}
const files = FILES.filter((file) => wanted.length === 0 || wanted.includes(file));
const child = Bun.spawn(
  [
    ...[process.execPath, 'test', '--timeout=120000'],
    ...files.map((file) => `./integration/nightly/${file}.ts`),
  ],
  { cwd: `${import.meta.dir}/..`, stdio: ['ignore', 'inherit', 'inherit'] },
);
process.exit(await child.exited);
