import type { ReportCluster } from './report-data.ts';

const MOST_CLUSTERS = 12;
const WORDS_A_CLUSTER = 3;

/**
 * Groups of what lies together on the plane, the largest first: points in cells of a grid that touch.
 */
export function cluster(x: Float64Array, y: Float64Array): number[][] {
  const size = x.length;
  if (size < 3) return [];
  const cells = new Map<string, number[]>();
  const width = Math.max(spread(x), spread(y)) / Math.max(4, Math.sqrt(size) * 0.7) || 1;
  const cellOf = (i: number): [number, number] => [
    Math.floor((x[i] as number) / width),
    Math.floor((y[i] as number) / width),
  ];
  for (let i = 0; i < size; i++) {
    const key = cellOf(i).join();
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [i]);
    else cell.push(i);
  }
  const groupOf = new Int32Array(size).fill(-1);
  const groups: number[][] = [];
  for (let start = 0; start < size; start++) {
    if (groupOf[start] !== -1) continue;
    const group = [start];
    groupOf[start] = groups.length;
    // Cells that touch belong together: single linkage at the resolution of the picture.
    for (const i of group) {
      const [column, row] = cellOf(i);
      for (let dx = -1; dx <= 1; dx++) {
        for (let dy = -1; dy <= 1; dy++) {
          for (const j of cells.get(`${column + dx},${row + dy}`) ?? []) {
            if (groupOf[j] !== -1) continue;
            groupOf[j] = groups.length;
            group.push(j);
          }
        }
      }
    }
    groups.push(group.sort((a, b) => a - b));
  }
  return groups
    .filter((group) => group.length > 2)
    .sort((a, b) => b.length - a.length || (a[0] as number) - (b[0] as number))
    .slice(0, MOST_CLUSTERS);
}

/** Names groups by the words that are most of them and least of the others. */
export function named(groups: readonly number[][], texts: readonly string[]): ReportCluster[] {
  const words = texts.map((text) => new Set(text.toLowerCase().match(/\p{L}{4,24}/gu) ?? []));
  const everywhere = new Map<string, number>();
  for (const set of words) count(set, everywhere);
  return groups.map((runs) => {
    const here = new Map<string, number>();
    for (const run of runs) count(words[run] ?? [], here);
    const weight = ([word, runsWithIt]: [string, number]): number =>
      (runsWithIt / runs.length) * Math.log((texts.length + 1) / (everywhere.get(word) ?? 1));
    const best = [...here].sort((a, b) => weight(b) - weight(a) || (a[0] < b[0] ? -1 : 1));
    return { runs, words: best.slice(0, WORDS_A_CLUSTER).map(([word]) => word) };
  });
}

function count(words: Iterable<string>, counts: Map<string, number>): void {
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
}

/** How far apart the least and the most are. */
export function spread(values: Float64Array): number {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least;
}
