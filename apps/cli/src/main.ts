#!/usr/bin/env node
// Nothing is imported before the check: an older Node could fail to link the modules.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (process.versions.bun === undefined && (major < 22 || (major === 22 && minor < 15))) {
  console.error(
    `kp: expected Node 22.15 or later, or Bun; received Node ${process.versions.node}; install a newer Node`,
  );
  process.exitCode = 2;
} else {
  const { runCommandLine } = await import('./program.ts');
  await runCommandLine(process.argv.slice(2));
}

export {};
