import { useMemo, useState } from 'preact/hooks';
import { outcomeOf } from '../describe-runs.ts';
import type { ReportData, ReportRun } from '../report-data.ts';

/** What the table is ordered by: a column, or a dimension by its place. */
export type SortKey = 'score' | 'id' | 'task' | 'steps' | 'outcome' | number;

/** The least and most of a value that are let through, in [0, 1]. */
export type Range = readonly [least: number, most: number];

export const EVERYTHING: Range = [0, 1];

/** Which runs are shown, in which order, and how to change that. */
export interface RunFilter {
  /** Places in the data. */
  readonly shown: readonly number[];
  readonly search: string;
  setSearch(text: string): void;
  readonly sort: SortKey;
  readonly descending: boolean;
  sortBy(key: SortKey): void;
  /** Ranges by dimension; −1 is the score. */
  rangeOf(dimension: number): Range;
  setRange(dimension: number, range: Range): void;
  readonly isNarrowed: boolean;
  clear(): void;
}

export function useFilter(data: ReportData): RunFilter {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<SortKey>('score');
  const [descending, setDescending] = useState(true);
  const [ranges, setRanges] = useState<ReadonlyMap<number, Range>>(new Map());
  const isSearching = search.trim() !== '';
  const haystacks = useMemo(
    () => (isSearching ? data.runs.map(searchable) : []),
    [data, isSearching],
  );
  const order = useMemo(() => sorted(data, sort, descending), [data, sort, descending]);
  const shown = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return order.filter((place) => {
      const run = data.runs[place] as ReportRun;
      for (const [dimension, [least, most]] of ranges) {
        const value = readValue(run, dimension);
        if (value < least || value > most) return false;
      }
      const text = haystacks[place] ?? '';
      return words.every((word) => text.includes(word));
    });
  }, [data, order, search, ranges, haystacks]);
  return {
    shown,
    search,
    setSearch,
    sort,
    descending,
    sortBy(key) {
      setDescending(key === sort ? !descending : typeof key === 'number' || key === 'score');
      setSort(key);
    },
    rangeOf: (dimension) => ranges.get(dimension) ?? EVERYTHING,
    setRange(dimension, range) {
      const next = new Map(ranges);
      if (range[0] <= 0 && range[1] >= 1) next.delete(dimension);
      else next.set(dimension, range);
      setRanges(next);
    },
    isNarrowed: ranges.size > 0 || search !== '',
    clear() {
      setRanges(new Map());
      setSearch('');
    },
  };
}

/** A dimension's value, or with −1 the score. */
export function readValue(run: ReportRun, dimension: number): number {
  return dimension === -1 ? run.score : (run.values[dimension] ?? 0);
}

function searchable(run: ReportRun): string {
  const { id, task, file, model, profile, objective, band } = run;
  return [id, task, file, model, profile, objective, band, outcomeOf(run)].join(' ').toLowerCase();
}

function sorted(data: ReportData, sort: SortKey, descending: boolean): number[] {
  const places = data.runs.map((_, place) => place);
  const keys = data.runs.map((run) => keyOf(run, sort));
  const sign = descending ? -1 : 1;
  return places.sort((a, b) => {
    const [left, right] = [keys[a] ?? '', keys[b] ?? ''];
    // Ties in the order of the runs, whichever way the rest goes.
    return left === right ? a - b : left < right ? -sign : sign;
  });
}

function keyOf(run: ReportRun, sort: SortKey): string | number {
  if (typeof sort === 'number') return run.values[sort] ?? 0;
  switch (sort) {
    case 'score':
      return run.score;
    case 'id':
      return run.id;
    case 'task':
      return run.task ?? '';
    case 'steps':
      return run.steps.kinds.length;
    case 'outcome':
      return outcomeOf(run);
  }
}
