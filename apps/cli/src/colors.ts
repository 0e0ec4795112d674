import type { Writable } from 'node:stream';
import picocolors from 'picocolors';

/** The few colours that the command uses. */
export type Colors = Pick<typeof picocolors, 'bold' | 'dim' | 'green' | 'red' | 'yellow'>;

/** Colours for a terminal that wants them: none in a pipe or with `NO_COLOR`. */
export function colorsFor(stream: Writable & { isTTY?: boolean }): Colors {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  const wanted = (stream.isTTY === true && TERM !== 'dumb') || FORCE_COLOR !== undefined;
  return picocolors.createColors(wanted && (NO_COLOR === undefined || NO_COLOR === ''));
}
