import { describe, expect, it } from 'bun:test';
import { fillSections, formatDocuments, readDocument } from '../scripts/format-docs.ts';

const documents = await formatDocuments();

describe('lists of formats in the documentation', () => {
  // To update them: bun packages/importers/scripts/format-docs.ts
  it.each([...documents])('are current in $path', async (document) => {
    const text = await readDocument(document);
    expect(fillSections(text, document)).toBe(text);
  });
});
