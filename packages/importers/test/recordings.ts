import { describe } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { describeWith, recordingsNeed, sharedFolder } from '@kp/testing/needs';

/** Tests of each real recording in a folder of which the pattern finds the name. */
export function describeRecordings(
  folder: string,
  pattern: RegExp,
  body: (path: string) => void,
): void {
  describeWith(recordingsNeed, `recordings of ${folder}`, () => {
    describe.each(recordings(folder, pattern))('%s', body);
  });
}

/** Paths of the real recordings in a folder, sorted; empty where there are none. */
export function recordings(folder: string, pattern: RegExp): string[] {
  const path = `${sharedFolder}/traces/${folder}`;
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => pattern.test(name))
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
