import { join } from 'node:path';
import type { WholeFile } from '@kp/foundation';
import { createWholeFile } from './output.ts';

/** Files of a folder that appear together, once all are complete. */
interface FileSet {
  open(name: string): Promise<WholeFile>;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

export function createFileSet(folder = ''): FileSet {
  const files: WholeFile[] = [];
  return {
    async open(name) {
      const file = await createWholeFile(join(folder, name), '-o');
      files.push(file);
      return file;
    },
    async keep() {
      for (const file of files) await file.keep();
    },
    async discard() {
      for (const file of files) await file.discard();
    },
  };
}
