import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Importer } from '@kp/importers';
import { UsageError } from './exit.ts';

/**
 * The importers that a module of the user's exports, under whatever names: objects with `name`,
 * `title`, `detect` and `read`.
 *
 * @throws {@link UsageError} when the module cannot be loaded, or exports none.
 */
export async function loadImporters(path: string): Promise<readonly Importer[]> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--importer ${path}: expected a module, received ${firstLine(reason)}`);
  }
  const importers = Object.values(exported).flat().filter(isImporter);
  if (importers.length > 0) return [...new Set(importers)];
  const names = Object.keys(exported).join(', ');
  throw new UsageError(
    `--importer ${path}: expected an export with name, title, detect and read, received ${names === '' ? 'no export' : `the exports ${names}`}`,
  );
}

function isImporter(value: unknown): value is Importer {
  if (typeof value !== 'object' || value === null) return false;
  const { name, title, detect, read } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    typeof title === 'string' &&
    typeof detect === 'function' &&
    typeof read === 'function'
  );
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
