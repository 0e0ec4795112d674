import type { ReportCluster } from './report-data.ts';

const MOST_CLUSTERS = 12;

/**
 * Groups the points of the plane whose cells of a grid are adjacent. Returns the largest group
 * first.
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
    // Joins adjacent cells: single linkage at the resolution of the picture.
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

// A name that only few runs of a group share does not describe it.
const SHARE_OF_A_NAME = 0.2;

/**
 * Names each group after the most frequent name of its runs, or after the run in its middle.
 *
 * @param names - one per run: its objective or its task.
 */
export function named(
  groups: readonly number[][],
  names: readonly string[],
  [x, y]: readonly [Float64Array, Float64Array],
): ReportCluster[] {
  return groups.map((runs) => {
    const counts = new Map<string, number>();
    for (const run of runs) {
      const name = names[run] ?? '';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const [most = ['', 0]] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const isShared = most[1] > 1 && most[1] >= SHARE_OF_A_NAME * runs.length;
    const name = isShared ? most[0] : (names[middleOf(runs, x, y)] ?? '');
    return { runs, name: name === '' ? undefined : name };
  });
}

/** Returns the run that is nearest to the middle of its group. */
function middleOf(runs: readonly number[], x: Float64Array, y: Float64Array): number {
  const mean = (values: Float64Array): number =>
    runs.reduce((sum, run) => sum + (values[run] ?? 0), 0) / runs.length;
  const [mx, my] = [mean(x), mean(y)];
  const far = (run: number): number => ((x[run] ?? 0) - mx) ** 2 + ((y[run] ?? 0) - my) ** 2;
  return runs.reduce((best, run) => (far(run) < far(best) ? run : best), runs[0] ?? 0);
}

/** Returns the difference between the greatest and the least value. */
export function spread(values: Float64Array): number {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least;
}
