import { describe, expect, it } from 'bun:test';
import { findFolderCircles, findForbiddenImports } from './arrows.ts';

const vectorCache = { name: '@kp/vector-cache' };
const check = (text: string) =>
  findForbiddenImports(vectorCache, 'packages/vector-cache', [
    { path: 'packages/vector-cache/src/x.ts', text },
  ]);

describe('findForbiddenImports', () => {
  it.each([
    `import { x } from '@kp/schema';`,
    `import type { X } from '@kp/schema';`,
    `import '@kp/schema';`,
    `export { x } from '@kp/schema';`,
    `export type { X } from '@kp/schema';`,
    `const x = await import('@kp/schema');`,
    `import x from '@kp/schema/schema.json' with { type: 'json' };`,
  ])('refuses %s', (text) => {
    const [problem, ...others] = check(text);
    expect(problem).toContain(
      'expected @kp/vector-cache to import one of @kp/foundation, received @kp/schema',
    );
    expect(others).toEqual([]);
  });

  it('refuses a path into another package', () => {
    expect(check(`import { x } from '../../schema/src/index.ts';`)).toEqual([
      'packages/vector-cache/src/x.ts: expected imports from its own package or by name, received ../../schema/src/index.ts',
    ]);
  });

  it('accepts own files, other libraries and what is allowed', () => {
    expect(check(`import { y } from './y.ts';\nimport z from 'zod';`)).toEqual([]);
    const scoring = { name: '@kp/scoring', dependencies: { '@kp/schema': 'workspace:*' } };
    const file = { path: 'packages/scoring/src/x.ts', text: `import { x } from '@kp/schema';` };
    expect(findForbiddenImports(scoring, 'packages/scoring', [file])).toEqual([]);
  });

  it('refuses a declared dependency, and a package that nobody listed', () => {
    const manifest = { ...vectorCache, devDependencies: { '@kp/scoring': 'workspace:*' } };
    expect(findForbiddenImports(manifest, 'packages/vector-cache', [])[0]).toContain(
      'received @kp/scoring',
    );
    expect(findForbiddenImports({ name: '@kp/new' }, 'packages/new', [])[0]).toContain(
      'received @kp/new',
    );
  });
});

describe('findFolderCircles', () => {
  const circles = (imports: Record<string, string>) =>
    findFolderCircles(
      'packages/x',
      Object.entries(imports).map(([path, target]) => ({
        path: `packages/x/src/${path}`,
        text: `import '${target}';`,
      })),
    );

  it('accepts folders that import in one direction', () => {
    expect(circles({ 'index.ts': './a/one.ts', 'a/one.ts': '../b/c/two.ts' })).toEqual([]);
    expect(circles({ 'a/one.ts': './b/two.ts', 'a/b/two.ts': '../one.ts' })).toEqual([]);
  });

  it('names the folders of a circle', () => {
    const files = {
      'a/one.ts': '../b/two.ts',
      'b/two.ts': '../three.ts',
      'three.ts': './a/four.ts',
    };
    expect(circles(files)).toEqual([
      'packages/x/src: expected folders that do not import each other, received a → b → . → a',
    ]);
  });
});
