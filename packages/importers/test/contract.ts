import { describe, expect, it } from 'bun:test';
import { type ContractSample, importerContract } from '../src/contract/index.ts';
import { BUILT_IN_IMPORTERS, type Importer } from '../src/index.ts';

/** A recording for the contract: its text and its number of runs. */
export type Sample = ContractSample;

/** The tests for every built-in format. Call it once in the test file of each. */
export function describeImporterContract(format: string, samples: readonly Sample[]): void {
  describe(`${format}: contract of importers`, () => {
    const found = BUILT_IN_IMPORTERS.filter(({ name }) => name === format);

    it('is registered once', () => {
      expect(found).toHaveLength(1);
    });
    for (const { name, run } of importerContract(found[0] as Importer, samples)) it(name, run);
  });
}
