import { describe, expect, it } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { loadRatings } from './ratings.ts';

const folder = useFolder('kp-ratings-');

async function written(text: string): Promise<string> {
  const path = join(folder, 'file');
  await writeFile(path, text);
  return path;
}

describe('loadRatings', () => {
  it('reads a JSON object and CSV', async () => {
    for (const text of ['{"a":1,"b":"4.5"}', 'rating,id\r\n1,a\r\n4.5,b\r\n']) {
      expect([...(await loadRatings(await written(text)))]).toEqual([
        ['a', 1],
        ['b', 4.5],
      ]);
    }
  });

  it.each([
    ['{"a":"high"}', 'a: expected a number, received "high"'],
    ['{"a":', 'expected JSON or CSV, received'],
    ['id,stars\na,1\n', 'row 2 without the columns id and rating'],
    [`{"${'a'.repeat(9000)}":"${'b'.repeat(9000)}"}`, 'aaa…: expected a number, received "bbb'],
  ])('rejects %# with a readable message', async (text, message) => {
    const path = await written(text);
    const error = await loadRatings(path).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'WRONG_USE' });
    expect((error as Error).message).toContain(message);
    expect((error as Error).message.length).toBeLessThan(path.length + 300);
  });
});
