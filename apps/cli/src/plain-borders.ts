/** A table of columns alone: cli-table3 draws no lines with these. */
export const PLAIN_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
} as const;

/** A table's lines without the blanks at their ends. */
export function withoutPadding(table: { toString(): string }): string {
  return table.toString().replace(/ +$/gm, '');
}
