import { readFile } from 'node:fs/promises';
import { messageOf } from '@kp/foundation';
import { createMappedImporter, type Importer, type Mapping } from '@kp/importers';
import { UsageError, wrongUse } from '../output/errors.ts';

/**
 * Loads the mapping of `--map` as an importer.
 *
 * @throws UsageError if the file cannot be read or the mapping is invalid.
 */
export async function loadMapping(path: string): Promise<Importer> {
  let mapping: Mapping;
  try {
    mapping = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw wrongUse(`--map ${path}`, 'a file with JSON', messageOf(error));
  }
  try {
    return createMappedImporter(mapping);
  } catch (error) {
    const message = messageOf(error).replace(/^mapping: /, '');
    throw new UsageError(
      { subject: `--map ${path}`, expected: 'a mapping', received: message },
      `--map ${path}: ${message}`,
    );
  }
}
