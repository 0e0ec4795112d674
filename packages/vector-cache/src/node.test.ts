import { describe, expect, it } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Answers, answers } from '../test/answers.ts';

const isMissing = Bun.which('node') === null && process.env.CI === undefined;

describe.skipIf(isMissing)('Node', () => {
  it('gives the answers of this runtime', async () => {
    const page = fileURLToPath(new URL('../test/browser-page.ts', import.meta.url));
    const built = await Bun.build({ entrypoints: [page], target: 'node' });
    const script = await (built.outputs[0] as Blob).text();
    const print = 'console.log(JSON.stringify(globalThis.vectorCacheAnswers))';
    const input = `${script}\n${print}`;
    const { stdout, stderr } = spawnSync('node', ['--input-type=module'], { input });
    expect(stderr.toString()).toBe('');
    expect(JSON.parse(stdout.toString()) as Answers).toEqual(answers('wasm-simd'));
  }, 60_000);
});
