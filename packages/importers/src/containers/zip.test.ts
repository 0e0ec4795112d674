import { describe, expect, it } from 'bun:test';
import { writeZip } from '../../test/zip.ts';
import { readRecording } from './read-recording.ts';

describe('a zip archive', () => {
  it.each([{ stored: true }, {}, { zstd: true }])('is read when packed with %j', async (style) => {
    const archive = writeZip({ 'a.jsonl': '{"a":1}', 'b.jsonl': '{"b":2}' }, style);
    const items = await Array.fromAsync(readRecording(archive));
    expect(items).toMatchObject([{ value: { a: 1 } }, { value: { b: 2 } }]);
  });
});
