import { describe, expect, it } from 'bun:test';
import { outlineOf } from '../src/contract/outline.ts';

/**
 * A recording that differs from the samples of its format, with the expected result of its import.
 */
export type Shape = readonly [name: string, recording: unknown, outline: readonly string[]];

/** The values, one per line. */
export class Lines {
  readonly text: string;

  constructor(...values: readonly unknown[]) {
    this.text = values.map((value) => JSON.stringify(value)).join('\n');
  }
}

/** Imports each recording and compares the result with a handwritten outline. */
export function describeShapes(title: string, shapes: readonly Shape[]): void {
  describe(`rare shapes: ${title}`, () => {
    it.each([...shapes])('%s', async (_name, recording, outline) => {
      const text = recording instanceof Lines ? recording.text : JSON.stringify(recording);
      expect(await outlineOf(text)).toEqual([...outline]);
    });
  });
}
