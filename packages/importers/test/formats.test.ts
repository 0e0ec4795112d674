import { describe, expect, it } from 'bun:test';
import { importerContract } from '../src/contract/index.ts';
import { BUILT_IN_IMPORTERS } from '../src/index.ts';

for (const importer of BUILT_IN_IMPORTERS) {
  const samples = await importer.samples();
  describe(`format ${importer.name}`, () => {
    it('is registered once with samples and all documentation columns', () => {
      expect(BUILT_IN_IMPORTERS.filter(({ name }) => name === importer.name)).toHaveLength(1);
      expect(samples.length).toBeGreaterThan(0);
      for (const text of Object.values(importer.docs)) expect(text).toMatch(/^[^|\n]+$/);
    });
    for (const { name, run } of importerContract(importer, samples)) it(name, run);
  });
}
