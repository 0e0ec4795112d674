/** The byte that ends a line. */
export const LINE_FEED = 0x0a;

/** Returns the number of line feeds in bytes. */
export function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
