import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { runCommand } from '@kp/testing/run-command';
import { TASKS } from './maintain.ts';

const root = join(import.meta.dir, '..');
const maintain = (...words: string[]) =>
  runCommand([process.execPath, 'run', 'maintain', ...words], { cwd: root });

const clone = useFolder('kp-clone-');

describe('maintain', () => {
  it('lists its tasks and rejects other names with exit status 2', async () => {
    const { exitCode, output } = await maintain();
    expect(exitCode).toBe(0);
    for (const { name, purpose } of TASKS) {
      expect(output).toContain(`  ${name.padEnd(13)} ${purpose}\n`);
    }
    const refused = await maintain('no-such-task');
    expect(refused.exitCode).toBe(2);
    expect(refused.errors).toContain('received no-such-task');
  });

  it('passes arguments on and returns the exit status', async () => {
    const { exitCode, errors } = await maintain('fuzz', '--minutes', 'soon');
    expect(exitCode).toBe(2);
    expect(errors).toContain('--minutes: expected a positive number, received soon');
  });

  it('asks for an installation in a new clone', async () => {
    const script = join(clone, 'scripts', 'maintain.ts');
    await Bun.write(script, Bun.file(join(import.meta.dir, 'maintain.ts')));
    const { exitCode, errors } = await runCommand([process.execPath, script, 'pack', 'packed']);
    expect(exitCode).toBe(2);
    expect(errors).toContain('run bun install first');
  });

  it('has every task in the table of CONTRIBUTING.md', async () => {
    const page = await Bun.file(join(root, 'CONTRIBUTING.md')).text();
    const rows = [...page.matchAll(/^\| `bun run maintain ([\w-]+)` \| (.*) \|$/gm)];
    expect(rows.map(([, name, purpose]) => [name, purpose])).toEqual(
      TASKS.map(({ name, purpose }) => [name, purpose]),
    );
  });
});
