import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ContenderFactory, Pass, VectorSet } from './contender.ts';

// From dist/vector/ and from src/vector/ alike.
const SOURCE = fileURLToPath(new URL('../../src/vector/native-scan.c', import.meta.url));

/** A scan in C with AVX2 and FMA, compiled where gcc is there; a process that times itself. */
export const nativeScan: ContenderFactory = async (set) => {
  const folder = mkdtempSync(join(tmpdir(), 'native-scan-'));
  const program = join(folder, 'native-scan');
  const compiled = spawnSync('gcc', ['-O3', '-mavx2', '-mfma', SOURCE, '-o', program]);
  if (compiled.status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const file = join(folder, 'vectors');
  writeSet(file, set);
  const child = spawn(program, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const run = async (count: number): Promise<Pass> => {
    child.stdin.write(`${count}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error('native-scan: the process ended early');
    const [nanoseconds, ...similarities] = String(value).split(' ').map(Number);
    return { microseconds: (nanoseconds as number) / 1000, similarities };
  };
  await run(1);
  rmSync(folder, { recursive: true });
  return { name: 'C, AVX2 and FMA', run, close: () => child.stdin.end() };
};

function writeSet(file: string, { count, dimensions, vectors, queries }: VectorSet): void {
  const head = Int32Array.of(count, dimensions, queries.length);
  writeFileSync(file, new Uint8Array(head.buffer));
  for (const values of [vectors, ...queries]) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    writeFileSync(file, bytes, { flag: 'a' });
  }
}
