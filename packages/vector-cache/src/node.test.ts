import { describe, expect, it } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findNode } from '@kp/testing/node';
import { answers } from '../test/answers.ts';
import { graphAnswers } from '../test/graph-answers.ts';

describe('Node', () => {
  it('returns the same results as this runtime', async () => {
    const page = fileURLToPath(new URL('../test/browser-page.ts', import.meta.url));
    const built = await Bun.build({ entrypoints: [page], target: 'node' });
    const script = await (built.outputs[0] as Blob).text();
    const print = 'console.log(JSON.stringify([vectorCacheAnswers, vectorCacheGraph]))';
    const input = `${script}\n${print}`;
    const { stdout, stderr } = spawnSync(await findNode(), ['--input-type=module'], { input });
    expect(stderr.toString()).toBe('');
    const graph = await graphAnswers(2);
    expect(graph.by).toBe('wasm-simd 2');
    expect(JSON.parse(stdout.toString())).toEqual([answers('wasm-simd'), graph]);
  }, 60_000);
});
