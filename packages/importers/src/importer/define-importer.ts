import type { Importer } from './importer.ts';

/** An importer with all that documentation and tests derive from. */
export type DefinedImporter = Importer & Required<Pick<Importer, 'docs' | 'samples'>>;

/**
 * Defines an importer: one object for one format. The list of formats, the tables of the
 * documentation, the options of the command and the tests for all formats derive from it.
 *
 * @param importer - the object itself; it is returned as it is.
 * @throws TypeError when it has no valid name or lacks a function.
 */
export function defineImporter(importer: DefinedImporter): DefinedImporter {
  checkImporter(importer);
  return importer;
}

/** @throws TypeError when an importer has no name that can be typed, or lacks a function. */
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
