import { describe, expect, it } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const INDEX = fileURLToPath(new URL('./index.ts', import.meta.url));

// Uses another process, because other tests have compiled the kernel in this one.
const SCRIPT = `
  const made = { modules: 0, memories: 0 };
  const count = (name, field) => {
    const Original = WebAssembly[name];
    WebAssembly[name] = class extends Original {
      constructor(...args) { super(...args); made[field]++; }
    };
  };
  count('Module', 'modules');
  count('Memory', 'memories');
  const seen = [];
  const see = () => seen.push(made.modules + '/' + made.memories);
  const { VectorCache } = await import(${JSON.stringify(INDEX)});
  const caches = Array.from({ length: 50 }, () => new VectorCache({ dimensions: 1 }));
  see();
  for (let size = 1; size <= 5; size++) {
    for (const cache of caches) cache.add([1]);
    see();
  }
  console.log(seen.join(' '));
`;

describe('the kernel', () => {
  it('is compiled once for all caches, when the first one has more than four entries', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', SCRIPT]);
    expect(stderr.toString()).toBe('');
    expect(stdout.toString().trim()).toBe('0/0 0/0 0/0 0/0 0/0 1/1');
  }, 60_000);
});
