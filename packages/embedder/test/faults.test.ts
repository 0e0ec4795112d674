import { expect, it } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findNode } from '@kp/testing/node';

it.each(['Bun', 'Node'])(
  'no fault causes an unhandled rejection in %s',
  async (runtime) => {
    const entry = fileURLToPath(new URL('./faults.ts', import.meta.url));
    const external = ['@huggingface/*'];
    const built = await Bun.build({ entrypoints: [entry], target: 'node', external });
    const [program, ...options] =
      runtime === 'Bun'
        ? [process.execPath, 'run', '-']
        : [await findNode(), '--input-type=module'];
    const strict = '--unhandled-rejections=strict';
    const { stdout } = spawnSync(program, [strict, ...options], {
      input: await (built.outputs[0] as Blob).text(),
      timeout: 60_000,
    });
    expect(stdout.toString()).toBe('no rejection without a listener\n');
  },
  90_000,
);
