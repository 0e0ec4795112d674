import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * Our packages; each may depend only on those before it. Biome's `noUndeclaredDependencies` rejects
 * undeclared imports.
 */
const ORDER: readonly string[] = [
  '@kp/foundation',
  '@kp/schema',
  '@kp/vector-cache',
  '@kp/embedder',
  '@kp/scoring',
  '@kp/memory',
  '@kp/importers',
  '@kp/curation',
  '@kp/report',
  '@kp/integrations',
  '@knowledgepulse/sdk',
  '@knowledgepulse/cli',
  '@kp/playground',
  '@kp/api',
  '@kp/site',
  '@kp/bench',
];

export interface SourceFile {
  /** Path relative to the repository root. */
  readonly path: string;
  readonly text: string;
}

export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Lists our packages that a package declares although they come after it, one line each. */
export function findForbiddenDependencies(manifest: Manifest): string[] {
  const { name } = manifest;
  const place = ORDER.indexOf(name);
  if (place === -1) return [`${name}: expected a package listed in scripts/arrows.ts`];
  const declared = {
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.devDependencies,
  };
  return Object.keys(declared)
    .filter((dependency) => ORDER.indexOf(dependency) >= place)
    .map((dependency) => `${name}: expected dependencies before it, received ${dependency}`);
}

/** Lists relative imports that leave the package, one line each. */
export function findImportsOutside(folder: string, files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    relativeImports(path, text)
      .filter((target) => !target.startsWith(`${folder}/`))
      .map((target) => `${path}: expected imports of other packages by name, received ${target}`),
  );
}

/**
 * Finds files that import each other, also types, and folders directly below `src` that do, in a
 * cycle of any length. The files directly in `src` count as one folder.
 *
 * @param folder - the package's folder, from the root of the repository.
 */
export function findImportCycles(folder: string, files: readonly SourceFile[]): string[] {
  const nameOf = (path: string): string => posix.relative(`${folder}/src`, path);
  const folderOf = (path: string): string => nameOf(posix.dirname(path)).split('/')[0] || '.';
  return [
    ...cyclesOf(files, folderOf).map((cycle) => ['folders', cycle]),
    ...cyclesOf(files, nameOf).map((cycle) => ['files', cycle]),
  ].map(
    ([what, cycle]) =>
      `${folder}/src: expected ${what} that do not import each other, received ${cycle}`,
  );
}

/** @param groupOf - the group of a path; imports within a group do not count. */
function cyclesOf(files: readonly SourceFile[], groupOf: (path: string) => string): string[] {
  const imports = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const group = groupOf(path);
    const targets = imports.get(group) ?? new Set();
    imports.set(group, targets);
    for (const target of relativeImports(path, text).map(groupOf)) {
      if (target !== group) targets.add(target);
    }
  }
  const done = new Set<string>();
  const visit = (group: string, path: readonly string[]): string[] => {
    if (path.includes(group)) return [[...path.slice(path.indexOf(group)), group].join(' → ')];
    if (done.has(group)) return [];
    const found = [...(imports.get(group) ?? [])].flatMap((next) => visit(next, [...path, group]));
    done.add(group);
    return found;
  };
  return [...imports.keys()].flatMap((group) => visit(group, []));
}

/**
 * Returns the files that a file imports by relative path, including types; paths are relative to
 * the root.
 */
function relativeImports(path: string, text: string): string[] {
  const { module, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ];
  return requests
    .map(({ start, end }) => text.slice(start, end).match(/^['"`](\..*)['"`]$/s)?.[1])
    .filter((specifier) => specifier !== undefined)
    .map((specifier) => posix.join(posix.dirname(path), specifier));
}
