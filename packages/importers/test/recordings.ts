import { describe } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { describeWith, recordingsNeed, sharedFolder } from '@kp/testing/needs';

/** Defines tests for each real recording in a folder whose name matches the pattern. */
export function describeRecordings(
  folder: string,
  pattern: RegExp,
  body: (path: string) => void,
): void {
  describeWith(recordingsNeed, `recordings of ${folder}`, () => {
    describe.each(recordings(folder, pattern))('%s', body);
  });
}

/** Returns the sorted paths of the real recordings in a folder; empty if there are none. */
export function recordings(folder: string, pattern: RegExp): string[] {
  const path = `${sharedFolder}/traces/${folder}`;
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => `${path}/${name}`);
}

/** Reads the values of a JSON Lines file. */
export function parseLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
}
