import { beforeAll, describe, expect, it } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { findNode } from '@kp/testing/node';
import { runCommand } from '@kp/testing/run-command';
import manifest from '../../../../package.json' with { type: 'json' };
import { withLateCompiler } from './late-compiler.ts';

const folder = useFolder('kp-late-compiler-');
const OPTION = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp';
const { [OPTION]: _, ...env } = process.env as Record<string, string>;

/** A program that restarts itself, and prints its arguments, how often it was started, and the option. */
let program = '';
let node = '';
beforeAll(async () => {
  program = join(folder, 'program.mjs');
  const source = join(import.meta.dir, 'late-compiler.ts');
  await Bun.build({ entrypoints: [source], outdir: folder, target: 'node' });
  const text = `
    import { restartWithLateCompiler } from './late-compiler.js';
    const { argv, env, execArgv } = process;
    if (env.EXEC_PATH) Object.defineProperty(process, 'execPath', { value: env.EXEC_PATH });
    env.STARTS = String(Number(env.STARTS ?? 0) + 1);
    restartWithLateCompiler();
    const words = [...execArgv, ...argv.slice(2)];
    console.log(JSON.stringify({ words, starts: env.STARTS, option: env['${OPTION}'] }));
  `;
  await writeFile(program, text);
  node = await findNode();
}, 300_000);

async function printedBy(words: readonly string[], more: Record<string, string> = {}) {
  const { output } = await runCommand([...words], { env: { ...env, ...more } });
  return JSON.parse(output);
}

describe('withLateCompiler', () => {
  it('keeps an option that is set', () => {
    expect(withLateCompiler({ PATH: '/bin' })).toEqual({ PATH: '/bin', [OPTION]: '1000000' });
    const env = { [OPTION]: '5' };
    expect(withLateCompiler(env)).toBe(env);
  });
});

describe('restartWithLateCompiler', () => {
  it('restarts Bun once with the same arguments, without the option for its children', async () => {
    const words = ['--smol', program, 'score', 'a file.jsonl', '--json', ''];
    const expected = ['--smol', 'score', 'a file.jsonl', '--json', ''];
    expect(await printedBy([process.execPath, ...words])).toEqual({ words: expected, starts: '2' });
  });

  it('knows the version of Bun that the project uses', () => {
    expect(process.versions.bun).toBe(manifest.packageManager.replace('bun@', ''));
  });

  it('continues if the process cannot be replaced', async () => {
    const printed = await printedBy([process.execPath, program], { EXEC_PATH: '/no/such/bun' });
    expect(printed).toEqual({ words: [], starts: '1' });
  });

  it('changes nothing if the option is set, or in Node', async () => {
    const words = [program, 'score'];
    const once = { words: ['score'], starts: '1' };
    const set = await printedBy([process.execPath, ...words], { [OPTION]: '5' });
    expect(set).toEqual({ ...once, option: '5' });
    expect(await printedBy([node, ...words])).toEqual(once);
  });
});
