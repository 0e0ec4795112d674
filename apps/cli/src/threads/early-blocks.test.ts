import { describe, expect, it } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOwnLineReader, ownLineOptions } from '@kp/importers';
import { useFolder } from '@kp/testing/folder';
import { Command } from 'commander';
import { traceLine } from '../../test/traces.ts';
import { addInputOptions, type InputFlags, inputChoiceOf } from '../runs/options/options.ts';
import { prepareEarly, USUAL_SETTINGS } from './early-blocks.ts';
import { createBlockPreparation } from './prepare-block.ts';
import { BLOCK_BYTES, type LineWorkerSettings } from './worker-settings.ts';

const folder = useFolder('kp-early-blocks-');

/** A file of two blocks, and the request for the first one. */
async function fileOf(name: string) {
  const file = join(folder, name);
  const line = `${traceLine(name, 'w'.repeat(10_000))}\n`;
  const perBlock = Math.floor((1.25 * BLOCK_BYTES) / line.length);
  await writeFile(file, line.repeat(perBlock + 5));
  const bytes = new TextEncoder().encode(line.repeat(perBlock));
  return { file, bytes, line: 1 };
}

async function prepared(file: string) {
  const { settled, take } = prepareEarly({ file });
  await settled;
  return take;
}

describe('USUAL_SETTINGS', () => {
  it('are what the command sends without options', async () => {
    const command = addInputOptions(new Command()).parse([], { from: 'user' });
    const { options } = await inputChoiceOf(command.opts<InputFlags>());
    // The first pass decides about grades.
    const expected = ownLineOptions({ ...options, gradeAsConfidence: false });
    const asSent = JSON.stringify(USUAL_SETTINGS);
    expect(asSent).toBe(JSON.stringify({ options: expected, embedder: 'lexical' }));
  });
});

describe('prepareEarly', () => {
  it('prepares what the command asks for, once', async () => {
    const request = await fileOf('usual.jsonl');
    const take = (await prepared(request.file))(USUAL_SETTINGS);
    const { options, ...needs } = USUAL_SETTINGS;
    const prepare = createBlockPreparation(createOwnLineReader(options), needs);
    expect(take(request)).toEqual(await prepare(request));
    expect(take(request)).toBeUndefined();
  });

  it('gives nothing for other settings, another file, other bytes or another line', async () => {
    const request = await fileOf('other.jsonl');
    const take = async (settings: LineWorkerSettings) => (await prepared(request.file))(settings);
    expect((await take({ ...USUAL_SETTINGS, embedder: 'task' }))(request)).toBeUndefined();
    const other = { ...USUAL_SETTINGS, options: { ...USUAL_SETTINGS.options, confidence: 0.5 } };
    expect((await take(other))(request)).toBeUndefined();
    expect((await take(USUAL_SETTINGS))({ ...request, file: 'x' })).toBeUndefined();
    expect((await take(USUAL_SETTINGS))({ ...request, line: 2 })).toBeUndefined();
    const bytes = request.bytes.with(request.bytes.length - 2, 0x20);
    expect((await take(USUAL_SETTINGS))({ ...request, bytes })).toBeUndefined();
  });

  it('gives nothing for a file that cannot be read', async () => {
    const file = join(folder, 'missing.jsonl');
    const take = (await prepared(file))(USUAL_SETTINGS);
    expect(take({ file, bytes: new Uint8Array(), line: 1 })).toBeUndefined();
  });
});
