import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from '@kp/memory';
import { command } from '../../test/run-kp.ts';
import { traceLine } from '../../test/traces.ts';

let folder = '';
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-ended-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a command on a corpus that is interrupted', () => {
  it.each([
    ['SIGINT', ['select', '--top', '2']],
    ['SIGINT', ['dedupe', '--threshold', '0.9']],
    ['SIGTERM', ['calibrate', '--corpus', '--estimate']],
    ['SIGTERM', ['share', '--threshold', '0']],
  ] as const)('by %s: %j ends with 130 and writes nothing', async (signal, words) => {
    const place = await mkdtemp(join(folder, 'interrupted-'));
    const [name, ...others] = words;
    // Standard input stays open: reading goes on until the signal.
    const child = Bun.spawn(
      [...command, name ?? '', '-', ...others, '-o', join(place, 'out.jsonl')],
      { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' },
    );
    child.stdin.write(`${traceLine('a')}\n${traceLine('b', 'Plan a trip to Rome')}\n`);
    child.stdin.flush();
    await Bun.sleep(1500);
    child.kill(signal);
    expect(await child.exited).toBe(130);
    expect(await readdir(place)).toEqual([]);
  });
});

describe('kp memory export', () => {
  it('leaves no part of a file when it is ended', async () => {
    const place = await mkdtemp(join(folder, 'export-'));
    const [file, out] = [join(folder, 'seen.db'), join(place, 'out.jsonl')];
    const memory = await openMemory(file, {
      embedder: { id: 'test/384', dimensions: 384 },
      maxElements: 20_000,
    });
    const vector = Float32Array.from({ length: 384 }, (_, i) => i + 1);
    await memory.addAll(Array.from({ length: 20_000 }, (_, i) => ({ key: `${i}`, vector })));
    await memory.close();
    const child = Bun.spawn([...command, 'memory', 'export', file, out], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    while ((await readdir(place)).length === 0) await Bun.sleep(1);
    child.kill('SIGTERM');
    expect(await child.exited).toBe(130);
    expect(await readdir(place)).toEqual([]);
  });
});

describe('a command that fails while a progress bar is shown', () => {
  it('ends, and gives the cursor back', async () => {
    const lines = Array.from({ length: 6000 }, (_, index) => traceLine(`${index}`));
    await Bun.write(at('many.jsonl'), lines.join('\n'));
    await Bun.write(at('nobody.json'), '{"nobody":1}');
    let shown = '';
    const child = Bun.spawn([...command, 'fit', at('many.jsonl'), '--ratings', at('nobody.json')], {
      terminal: { cols: 100, rows: 30, data: (_, data) => (shown += Buffer.from(data).toString()) },
    });
    expect(await child.exited).toBe(2);
    expect(shown).toContain('traces ·');
    expect(shown.lastIndexOf('\u001b[?25h')).toBeGreaterThan(shown.lastIndexOf('\u001b[?25l'));
  });
});
