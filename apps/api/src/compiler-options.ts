/** Compiler options for reading declarations, as in a strict consumer project. */
export const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: [],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};
