import type { ReportData, ReportRun } from '../report-data.ts';

/** Maps keys in the address of a page to its runs. */
export interface RunKeys {
  /** Undefined for a key that no run has. */
  placeOf(key: string | null): number | undefined;
  keyOf(place: number): string;
}

/** Several runs may have the same id; the keys of further ones end with `~2`, `~3` … */
export function createRunKeys(data: ReportData): RunKeys {
  const amounts = new Map<string, number>();
  const keys = allRuns(data).map(({ id }) => {
    const amount = (amounts.get(id) ?? 0) + 1;
    amounts.set(id, amount);
    return amount === 1 ? id : `${id}~${amount}`;
  });
  const places = new Map(keys.map((key, place) => [key, place]));
  return {
    placeOf: (key) => (key === null ? undefined : places.get(key)),
    keyOf: (place) => keys[place] ?? '',
  };
}

/** Returns the runs of the page, then those of the base that they are compared with. */
export function allRuns({ runs, comparison }: ReportData): readonly ReportRun[] {
  return comparison?.runs === undefined ? runs : [...runs, ...comparison.runs];
}

/** Returns the name of the tool of each step. */
export function toolsOfRun(
  { tools }: ReportData,
  run: ReportRun | undefined,
): (string | undefined)[] {
  return (run?.steps.tools ?? []).map((place) => tools[place]);
}
