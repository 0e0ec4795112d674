import { nodeFileSystem } from '../node-file-system.ts';
import { headerLength, readHeader } from './safetensors.ts';
import { embeddingsEntry } from './static-model.ts';

/** Dimensions of a model from the header in its bytes. */
export function dimensionsOf(model: Uint8Array): number {
  const length = headerLength(model, model.length);
  return embeddingsEntry(readHeader(model.subarray(8, 8 + length), model.length))
    .shape[1] as number;
}

/**
 * Dimensions of a model file, of which only the header is read.
 *
 * @throws when the file cannot be read or its header is damaged.
 */
export function peekDimensions(path: string): number {
  const fileSystem = nodeFileSystem();
  if (fileSystem === undefined) throw new Error('no file system here');
  const size = fileSystem.sizeSync(path);
  const length = headerLength(fileSystem.readRangeSync(path, 0, 8), size);
  const header = fileSystem.readRangeSync(path, 8, length);
  // A file that is cut short is found out, and named, when it is loaded.
  const dataStart = 8 + length;
  return embeddingsEntry(readHeader(header, Number.MAX_SAFE_INTEGER - dataStart))
    .shape[1] as number;
}
