import { describe, expect, it } from 'bun:test';
import { importAll } from '../../test/read.ts';
import { writeZip } from '../../test/zip.ts';

const CHAT = (hour: string): string =>
  `# aider chat started at 2026-01-02 ${hour}:04:05\n\n#### Go.\n\nGone.\n\n`;

describe('transcripts in Markdown', () => {
  it('become one run per Aider chat with its first line', async () => {
    const items = await importAll(
      `\n${CHAT('03')}# aider chat started at 2026-01-02 04:00:00\n${CHAT('05')}`,
    );
    expect(items).toMatchObject([
      { kind: 'unlabelled', format: 'aider', line: 2 },
      { kind: 'unlabelled', format: 'aider', line: 9 },
    ]);
  });

  it('do not include other documents', async () => {
    for (const item of await importAll('# Notes\n\nNothing.')) {
      expect(item).toMatchObject({ kind: 'error', error: { code: 'INVALID_JSON' } });
    }
    const archive = writeZip({ 'README.md': '# Notes', '.aider.chat.history.md': CHAT('03') });
    expect(await importAll(archive)).toMatchObject([{ format: 'aider' }]);
  });

  it('report a chat without an answer', async () => {
    const text = '# aider chat started at 2026-01-02 03:04:05\n#### Go.\n';
    expect(await importAll(text)).toMatchObject([{ error: { code: 'NOTHING_TO_SCORE' } }]);
  });
});
