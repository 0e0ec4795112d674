import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sdk } from '../inputs/traces.ts';

/** The built packages of one revision; one that it does not have is undefined. */
export interface Product {
  readonly sdk: Sdk;
  readonly importers: typeof import('@kp/importers');
  readonly curation: typeof import('@kp/curation');
}

/** A package, and what a row takes from it. */
export type Needs = { readonly [Package in keyof Product]?: readonly (keyof Product[Package])[] };

/**
 * Loads what a row needs from the packages below `root`, whichever revision that is: the program that
 * measures is one and the same.
 *
 * @throws Error that names the package or the export that this revision does not have.
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

/** The built entry of a package of ours. */
export function entryOf(root: string, folder: string): string {
  const manifest = join(root, 'packages', folder, 'package.json');
  if (!existsSync(manifest)) return manifest;
  const { main, exports } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(root, 'packages', folder, exports?.['.']?.default ?? main ?? 'dist/index.js');
}
