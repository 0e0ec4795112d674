import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Which of our packages each package may import. What is not listed, it may not. */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map([
  ['@kp/foundation', []],
  ['@kp/schema', ['@kp/foundation']],
  ['@kp/vector-cache', ['@kp/foundation']],
  ['@kp/embedder', ['@kp/foundation']],
  ['@kp/scoring', ['@kp/foundation', '@kp/schema', '@kp/vector-cache', '@kp/embedder']],
  ['@kp/memory', ['@kp/foundation', '@kp/scoring', '@kp/vector-cache']],
  ['@kp/importers', ['@kp/foundation', '@kp/schema']],
  ['@kp/curation', ['@kp/foundation', '@kp/schema', '@kp/scoring', '@kp/vector-cache']],
  ['@kp/report', ['@kp/foundation', '@kp/schema', '@kp/scoring', '@kp/curation']],
  [
    '@kp/integrations',
    ['@kp/foundation', '@kp/schema', '@kp/embedder', '@kp/scoring', '@kp/importers'],
  ],
  [
    '@knowledgepulse/sdk',
    [
      '@kp/foundation',
      '@kp/schema',
      '@kp/vector-cache',
      '@kp/embedder',
      '@kp/scoring',
      '@kp/importers',
      '@kp/memory',
      '@kp/curation',
    ],
  ],
  [
    '@knowledgepulse/cli',
    [
      '@kp/foundation',
      '@knowledgepulse/sdk',
      '@kp/importers',
      '@kp/memory',
      '@kp/curation',
      '@kp/report',
    ],
  ],
  [
    '@kp/playground',
    ['@kp/foundation', '@knowledgepulse/sdk', '@kp/importers', '@kp/curation', '@kp/report'],
  ],
  [
    '@kp/api',
    [
      '@kp/foundation',
      '@knowledgepulse/sdk',
      '@kp/schema',
      '@kp/vector-cache',
      '@kp/embedder',
      '@kp/scoring',
      '@kp/importers',
      '@kp/memory',
      '@kp/curation',
      '@kp/report',
      '@kp/integrations',
    ],
  ],
  ['@kp/site', ['@kp/api']],
  [
    '@kp/bench',
    [
      '@kp/foundation',
      '@knowledgepulse/sdk',
      '@kp/schema',
      '@kp/vector-cache',
      '@kp/embedder',
      '@kp/scoring',
      '@kp/importers',
      '@kp/memory',
      '@kp/curation',
      '@kp/integrations',
    ],
  ],
]);

export interface SourceFile {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * What a package imports, or declares, against the arrows: one line each, none when all is well.
 * Type imports, re-exports and dynamic imports count like any other.
 *
 * @param folder - the package's folder, from the root of the repository.
 */
export function findForbiddenImports(
  manifest: Manifest,
  folder: string,
  files: readonly SourceFile[],
): string[] {
  const allowed = ALLOWED.get(manifest.name);
  if (allowed === undefined) {
    return [
      `${folder}/package.json: expected a package listed in scripts/arrows.ts, received ${manifest.name}`,
    ];
  }
  const may = allowed.length === 0 ? 'none of our packages' : `one of ${allowed.join(', ')}`;
  const problem = (place: string, received: string): string =>
    `${place}: expected ${manifest.name} to import ${may}, received ${received}`;
  const problems: string[] = [];
  const declared = {
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.devDependencies,
  };
  for (const name of Object.keys(declared)) {
    if (ALLOWED.has(name) && !allowed.includes(name)) {
      problems.push(problem(`${folder}/package.json`, name));
    }
  }
  for (const { path, text } of files) {
    for (const specifier of importsOf(path, text)) {
      const target = packageOf(specifier);
      if (ALLOWED.has(target) && target !== manifest.name && !allowed.includes(target)) {
        problems.push(problem(path, specifier));
      } else if (leavesPackage(folder, path, specifier)) {
        problems.push(
          `${path}: expected imports from its own package or by name, received ${specifier}`,
        );
      }
    }
  }
  return problems;
}

/**
 * Folders directly below `src` that import each other, in a circle of any length; the files directly
 * in `src` count as one folder.
 *
 * @param folder - the package's folder, from the root of the repository.
 */
export function findFolderCircles(folder: string, files: readonly SourceFile[]): string[] {
  const imports = new Map<string, Set<string>>();
  const roomOf = (path: string): string =>
    posix.relative(`${folder}/src`, posix.dirname(path)).split('/')[0] || '.';
  for (const { path, text } of files) {
    const room = roomOf(path);
    const targets = imports.get(room) ?? new Set();
    imports.set(room, targets);
    for (const specifier of importsOf(path, text)) {
      if (!specifier.startsWith('.')) continue;
      const target = roomOf(posix.join(posix.dirname(path), specifier));
      if (target !== room) targets.add(target);
    }
  }
  const done = new Set<string>();
  const visit = (room: string, way: readonly string[]): string[] => {
    if (way.includes(room)) {
      const circle = [...way.slice(way.indexOf(room)), room].join(' → ');
      return [`${folder}/src: expected folders that do not import each other, received ${circle}`];
    }
    if (done.has(room)) return [];
    const found = [...(imports.get(room) ?? [])].flatMap((next) => visit(next, [...way, room]));
    done.add(room);
    return found;
  };
  return [...imports.keys()].flatMap((room) => visit(room, []));
}

function importsOf(path: string, text: string): string[] {
  const { module, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const specifiers = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries)
      if (moduleRequest) specifiers.push(moduleRequest.value);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = text.slice(moduleRequest.start, moduleRequest.end).match(/^['"`](.*)['"`]$/s);
    if (literal?.[1] !== undefined) specifiers.push(literal[1]);
  }
  return specifiers;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function leavesPackage(folder: string, path: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return false;
  const target = posix.join(posix.dirname(path), specifier);
  return !target.startsWith(`${folder}/`);
}
