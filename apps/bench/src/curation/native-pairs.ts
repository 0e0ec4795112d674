import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// From dist/curation/ and from src/curation/ alike.
const SOURCE = fileURLToPath(new URL('../../src/curation/native-pairs.c', import.meta.url));

/** The products of all pairs in C, in a process that times itself. */
export interface NativePairs {
  /** Multiplies all pairs once. */
  run(): Promise<{ readonly milliseconds: number; readonly greatest: number }>;
  close(): void;
}

/**
 * Starts the program over vectors of one length.
 *
 * @returns undefined where gcc is not there or knows no AVX2.
 */
export async function startNativePairs(
  vectors: readonly Float32Array[],
): Promise<NativePairs | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'native-pairs-'));
  const [program, file] = [join(folder, 'native-pairs'), join(folder, 'vectors')];
  const compiled = spawnSync('gcc', ['-O3', '-mavx2', '-mfma', SOURCE, '-o', program]);
  if (compiled.status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  writeFileSync(file, Int32Array.of(vectors.length, vectors[0]?.length ?? 0));
  for (const values of vectors) writeFileSync(file, values, { flag: 'a' });
  const child = spawn(program, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const run = async () => {
    child.stdin.write('\n');
    const { value, done } = await lines.next();
    if (done === true) throw new Error('native-pairs: the process ended early');
    const [nanoseconds, greatest] = String(value).split(' ').map(Number);
    return { milliseconds: (nanoseconds as number) / 1e6, greatest: greatest as number };
  };
  await run();
  rmSync(folder, { recursive: true });
  return { run, close: () => child.stdin.end() };
}
