import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where real recordings are; it need not be there. */
export const sharedFolder: string =
  process.env.KP_SHARED_DIR ?? fileURLToPath(new URL('../../../../shared', import.meta.url));

/** Paths of the real recordings in a folder, sorted; empty where there are none. */
export function recordings(folder: string, ending: string): string[] {
  const path = `${sharedFolder}/traces/${folder}`;
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${path}/${name}`);
}

/** The values of a file of JSON Lines. */
export function parseLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
}
