import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadLabels } from './labels.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-labels-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function labelsOf(text: string) {
  const path = join(folder, 'labels');
  await Bun.write(path, text);
  return [...(await loadLabels(path))];
}

describe('loadLabels', () => {
  it('reads a JSON object of verdicts, of labels, and of groups of both', async () => {
    expect(
      await labelsOf(
        '{"a":true,"b":{"success":false,"confidence":0.25},"group":{"c":{"confidence":1}}}',
      ),
    ).toEqual([
      ['a', { success: true }],
      ['b', { success: false, confidence: 0.25 }],
      ['c', { confidence: 1 }],
    ]);
  });

  it('reads CSV with quotes, blanks and columns in any order', async () => {
    expect(
      await labelsOf('\ufeffconfidence,id,success,note\n0.5,"a,1",yes,"x"\n,b,FALSE,\n\n0.75,c,,'),
    ).toEqual([
      ['a,1', { success: true, confidence: 0.5 }],
      ['b', { success: false }],
      ['c', { confidence: 0.75 }],
    ]);
  });

  it.each([
    ['{"a":1}', 'a: expected true, false or { success, confidence }, received 1'],
    ['{"a":{"success":"yes"}}', 'a: expected success true or false, received "yes"'],
    ['{"a":{"confidence":2}}', 'a: expected confidence from 0 to 1, received 2'],
    ['[true]', 'the whole: expected true, false or { success, confidence }, received [true]'],
    ['{"a":', 'expected JSON, received'],
    ['{}', 'expected at least one label, received none'],
    ['', 'expected at least one label, received none'],
    [
      'name,success\nx,true',
      'row 2: expected the columns id, success, confidence, received name, success',
    ],
    ['id,success\nx,maybe', 'x: expected success true or false, received "maybe"'],
    ['id,confidence\nx,high', 'x: expected confidence from 0 to 1, received null'],
    ['id,success\n"x', 'expected CSV, received'],
  ])('refuses %j', async (text, message) => {
    await expect(labelsOf(text)).rejects.toThrow(message);
  });

  it('names a file that is not there', async () => {
    await expect(loadLabels(join(folder, 'none'))).rejects.toThrow('received nothing of that name');
  });
});
