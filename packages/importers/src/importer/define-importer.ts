import type { Importer } from './importer.ts';

/** An importer with the data from which documentation and tests are derived. */
export type DefinedImporter = Importer & Required<Pick<Importer, 'docs' | 'samples'>>;

/**
 * Defines an importer: one object per format. The list of formats, the tables of the documentation, the
 * options of the command and the tests of all formats derive from it.
 *
 * @param importer - returned unchanged.
 * @throws TypeError if its name is invalid or a function is missing.
 */
export function defineImporter(importer: DefinedImporter): DefinedImporter {
  checkImporter(importer);
  return importer;
}

/** @throws TypeError if the importer's name is invalid or a function is missing. */
export function checkImporter(importer: Importer): void {
  const name: unknown = importer?.name;
  if (typeof name !== 'string' || !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(name)) {
    const expected = 'expected lower-case letters, digits and hyphens';
    throw new TypeError(`importer: name: ${expected}, received ${String(name)}`);
  }
  for (const method of ['detect', 'read'] as const) {
    const received = typeof importer[method];
    if (received === 'function') continue;
    throw new TypeError(`importer ${name}: expected a function ${method}, received ${received}`);
  }
}
