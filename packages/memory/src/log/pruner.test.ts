import { describe, expect, it } from 'bun:test';
import type { MemoryLog } from './log.ts';
import { resolveOptions } from './options.ts';
import { Pruner } from './pruner.ts';

/** A pruner of a log of 100 entries, and the position of the first row that it kept. */
function prunerOf(prune = async (_: number): Promise<void> => undefined) {
  const kept: number[] = [];
  const log = {
    engine: 'a log',
    space: { maxElements: 100 },
    prune: (before: number) => {
      kept.push(before);
      return prune(before);
    },
  } as unknown as MemoryLog;
  const warnings: unknown[] = [];
  const onWarning = (warning: unknown): void => void warnings.push(warning);
  const pruner = new Pruner(log, resolveOptions({ onWarning }));
  const read = (rows: number): void => {
    for (let row = 0; row < rows; row++) pruner.count();
    pruner.pruneWhenDue(() => 7);
  };
  return { pruner, kept, warnings, read };
}

describe('Pruner', () => {
  it('deletes after 1,000 rows and a quarter of the bound', async () => {
    const { pruner, kept, read } = prunerOf();
    read(1024);
    expect(kept).toEqual([]);
    read(1);
    expect(kept).toEqual([7]);
    await pruner.end();
    read(1024);
    expect(kept).toEqual([7]);
    read(1);
    expect(kept).toEqual([7, 7]);
  });

  it('restarts its count when the log is read again', () => {
    const { pruner, kept, read } = prunerOf();
    read(1024);
    pruner.restart();
    read(1024);
    expect(kept).toEqual([]);
    read(1);
    expect(kept).toEqual([7]);
  });

  it('runs one deletion at a time, is awaited, and reports failures', async () => {
    let fail = (_: Error): void => undefined;
    const { pruner, kept, warnings, read } = prunerOf(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    read(1025);
    read(2000);
    expect(kept).toEqual([7]);
    let hasEnded = false;
    const ended = pruner.end().then(() => {
      hasEnded = true;
    });
    await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    const cause = new Error('no right to delete');
    fail(cause);
    await ended;
    const message = 'a log: old rows could not be deleted: no right to delete';
    expect(warnings).toEqual([{ code: 'MEMORY_NOT_PRUNED', message, cause }]);
    // Rows that were read during the deletion count.
    read(0);
    expect(kept).toEqual([7, 7]);
  });

  it('deletes again if enough rows were read meanwhile, unless it has ended', async () => {
    const finish: (() => void)[] = [];
    const { pruner, kept, read } = prunerOf(() => new Promise((done) => finish.push(done)));
    read(1025);
    read(1025);
    expect(kept).toEqual([7]);
    finish[0]?.();
    await new Promise(setImmediate);
    expect(kept).toEqual([7, 7]);
    read(1025);
    const ended = pruner.end();
    finish[1]?.();
    await ended;
    await new Promise(setImmediate);
    expect(kept).toEqual([7, 7]);
  });
});
