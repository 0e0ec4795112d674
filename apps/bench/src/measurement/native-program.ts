import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program in C with AVX2 and FMA that keeps its data, and times itself. */
export interface NativeProgram {
  /** Sends it a line; answers the numbers of the line that it prints: first its nanoseconds. */
  run(line: string): Promise<[nanoseconds: number, ...results: number[]]>;
  close(): void;
}

/**
 * Compiles a program, starts it over its data (a head of 32-bit integers, then the vectors) and lets
 * it run once.
 *
 * @param source - its file, from the folder `src`.
 * @returns undefined where gcc is not there or knows no AVX2.
 */
export async function startNativeProgram(
  source: string,
  head: readonly number[],
  vectors: readonly Float32Array[],
): Promise<NativeProgram | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'kp-native-'));
  const [program, data] = [join(folder, 'program'), join(folder, 'vectors')];
  const file = fileURLToPath(new URL(`../${source}`, import.meta.url));
  const compiled = spawnSync('gcc', ['-O3', '-mavx2', '-mfma', file, '-o', program]);
  if (compiled.status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  writeFileSync(data, Int32Array.from(head));
  for (const values of vectors) writeFileSync(data, values, { flag: 'a' });
  const child = spawn(program, [data], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const run: NativeProgram['run'] = async (line) => {
    child.stdin.write(`${line}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`${source}: expected an answer, received the end`);
    return String(value).split(' ').map(Number) as [number, ...number[]];
  };
  try {
    await run('1');
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { run, close: () => child.stdin.end() };
}
