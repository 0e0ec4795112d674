import type { VectorSearchRow } from './compare-vector-search.ts';

/** The comparison as text: one table a set, each contender with its ratio to the engine. */
export function formatVectorSearch(rows: readonly VectorSearchRow[]): string {
  const groups = new Map<string, VectorSearchRow[]>();
  for (const row of rows) {
    const title = `${row.data}, ${row.queries} queries`;
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  const tables = [...groups].map(([title, group]) => {
    const sizes = [...new Set(group.map((row) => row.vectors))];
    const names = [...new Set(group.map((row) => row.contender))];
    const head = ['', ...sizes.map((size) => `${size.toLocaleString('en')} vectors`)];
    const lines = names.map((name) => [name, ...sizes.map((size) => cell(group, name, size))]);
    return `${title} (${group[0]?.dimensions} dimensions)\n${align([head, ...lines])}`;
  });
  return `${rows[0]?.runtime ?? ''}: µs a query, and how many times the time of the engine\n\n${tables.join('\n\n')}\n`;
}

function cell(rows: readonly VectorSearchRow[], contender: string, vectors: number): string {
  const at = rows.filter((row) => row.vectors === vectors);
  const row = at.find((each) => each.contender === contender);
  const engine = at.find((each) => each.contender === 'engine');
  if (row === undefined || engine === undefined) return '';
  const times = row.microseconds / engine.microseconds;
  const wrong = row.isExact ? '' : ' inexact';
  return `${row.microseconds.toFixed(1)} (${times.toFixed(2)}×)${wrong}`;
}

function align(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines
    .map((line) =>
      line
        .map((text, column) =>
          column === 0 ? text.padEnd(widths?.[column] ?? 0) : text.padStart(widths?.[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
