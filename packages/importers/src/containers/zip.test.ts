import { describe, expect, it } from 'bun:test';
import { writeZip } from '../../test/zip.ts';
import { readRecording } from './read-recording.ts';

describe('a zip archive', () => {
  it.each([{ stored: true }, {}, { zstd: true }])(
    'is read if compressed with %j',
    async (style) => {
      const archive = writeZip({ 'a.jsonl': '{"a":1}', 'b.jsonl': '{"b":2}' }, style);
      const items = await Array.fromAsync(readRecording(archive));
      expect(items).toMatchObject([{ value: { a: 1 } }, { value: { b: 2 } }]);
    },
  );

  it('is rejected if several entries share the same data', async () => {
    const archive = writeZip({ 'a.jsonl': '{"a":1}', 'b.jsonl': '{"b":2}' }, { stored: true });
    const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
    const ENTRY = 0x02014b50;
    const entries: number[] = [];
    for (let at = 0; at + 4 <= archive.length; at++) {
      if (view.getUint32(at, true) === ENTRY) entries.push(at);
    }
    const [first = 0, second = 0] = entries;
    expect(entries).toHaveLength(2);
    // The offset of the local header, APPNOTE.TXT section 4.3.12.
    view.setUint32(second + 42, view.getUint32(first + 42, true), true);
    const items = await Array.fromAsync(readRecording(archive));
    expect(items).toMatchObject([{ error: { code: 'DAMAGED_ARCHIVE' } }]);
    expect(JSON.stringify(items)).toContain('files that do not overlap');
  });
});
