import { factsOf } from '../facts.ts';
import { importAll, sketch } from '../read.ts';

/** A part of a format that its samples do without, and all that has to come of it. */
export type Shape = readonly [name: string, recording: unknown, outline: readonly string[]];

/** Values one a line. */
export class Lines {
  readonly values: readonly unknown[];

  constructor(...values: readonly unknown[]) {
    this.values = values;
  }
}

/** What an import says, a line each: what was asked, the steps, the facts; or the error. */
export async function outlineOf(recording: unknown, format = 'auto'): Promise<string[]> {
  const values = recording instanceof Lines ? recording.values : [recording];
  const text = values.map((value) => JSON.stringify(value)).join('\n');
  const items = await importAll(text, { format });
  return items.flatMap((item) => {
    if (!('trace' in item)) return factsOf(item);
    return [`asked ${item.trace.task.objective}`, ...sketch(item), ...factsOf(item)];
  });
}
