import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sdk } from '../inputs/traces.ts';

/** The built packages of one revision; undefined if missing. */
export interface Product {
  readonly sdk: Sdk;
  readonly importers: typeof import('@kp/importers');
  readonly curation: typeof import('@kp/curation');
}

/** The packages and exports that a row needs. */
export type Needs = { readonly [Package in keyof Product]?: readonly (keyof Product[Package])[] };

/**
 * Loads the packages that a row needs from `root`. The measuring program is the same for every
 * revision.
 *
 * @throws Error that names a package or export missing in this revision.
 */
export async function loadProduct(root: string, needs: Needs): Promise<Product> {
  const loaded: Record<string, unknown> = {};
  for (const [name, exports] of Object.entries(needs)) {
    const entry = entryOf(root, name);
    if (!existsSync(entry)) throw new Error(`no package ${name}`);
    const module = (await import(pathToFileURL(entry).href)) as Readonly<Record<string, unknown>>;
    const missing = exports.find((each) => module[each as string] === undefined);
    if (missing !== undefined) throw new Error(`no ${String(missing)} in ${name}`);
    loaded[name] = module;
  }
  return loaded as unknown as Product;
}

/** Returns the path of a package's built entry. */
export function entryOf(root: string, folder: string): string {
  const manifest = join(root, 'packages', folder, 'package.json');
  if (!existsSync(manifest)) return manifest;
  const { main, exports } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(root, 'packages', folder, exports?.['.']?.default ?? main ?? 'dist/index.js');
}
