import { useMemo } from 'preact/hooks';
import { outcomeOf } from '../describe-runs.ts';
import type { ReportData, ReportRun } from '../report-data.ts';
import { createFinder } from '../transcript/find-texts.ts';
import type { TextSource } from '../transcript/text-source.ts';
import { FACETS, type FacetName, valuesOf } from './facets.ts';
import { AREA, isWithin, pointOf, readArea } from './map/map-view.ts';
import { type Range, rangeIn, rangeName, writeRange } from './ranges.ts';
import { toolsOfRun } from './run-keys.ts';
import type { Address } from './use-address.ts';
import { type TextSearch, useTextSearch } from './use-text-search.ts';

/** The sort key of the table: a column, or a dimension by its index. */
export type SortKey = 'score' | 'id' | 'title' | 'task' | 'steps' | 'outcome' | 'hits' | number;

/** The shown runs in order, and the functions to change the filter. */
export interface RunFilter {
  /** Indexes in the data. */
  readonly shown: readonly number[];
  readonly search: string;
  setSearch(text: string): void;
  /** Results of the search in the texts. */
  readonly texts: TextSearch;
  readonly sort: SortKey;
  readonly descending: boolean;
  sortBy(key: SortKey): void;
  facet(name: FacetName): string | undefined;
  setFacet(name: FacetName, value: string | undefined): void;
  /** Ranges by dimension; −1 is the score. */
  rangeOf(dimension: number): Range;
  setRange(dimension: number, range: Range): void;
  readonly isNarrowed: boolean;
  clear(): void;
}

export function useFilter(
  data: ReportData,
  source: TextSource | undefined,
  { parameters, change }: Address,
): RunFilter {
  const search = parameters.get('q') ?? '';
  const texts = useTextSearch(source, search);
  const haystacks = useMemo(
    () => (search === '' ? [] : data.runs.map((run) => searchable(data, run))),
    [data, search === ''],
  );
  const named = useMemo(() => {
    const find = createFinder(search);
    return haystacks.map((text) => find === undefined || find(text).length > 0);
  }, [haystacks, search]);
  const sort = readSort(parameters.get('sort'), data);
  const dimensions = [-1, ...data.dimensions.keys()];
  const state = parameters.toString();
  const shown = useMemo(() => {
    const isSearching = search.trim() !== '';
    const facets = FACETS.map(({ name }) => [name, parameters.get(name)] as const);
    const area = data.map && readArea(parameters.get(AREA));
    const ranges = dimensions.map((each) => [each, rangeIn(parameters, data, each)] as const);
    return sorted(data, sort.key, sort.descending, texts.hits).filter((place) => {
      const run = data.runs[place] as ReportRun;
      for (const [name, value] of facets) {
        if (value !== null && !valuesOf(data, run, name).includes(value)) return false;
      }
      if (area !== undefined && data.map !== undefined) {
        if (!isWithin(pointOf(data.map, place), area)) return false;
      }
      for (const [dimension, [least, most]] of ranges) {
        const value = readValue(run, dimension);
        if (value < least || value > most) return false;
      }
      return !isSearching || texts.hits.has(place) || named[place] === true;
    });
  }, [data, state, texts.hits, named]);
  return {
    shown,
    search,
    setSearch: (text) => change({ q: text === '' ? undefined : text }, 'replace'),
    texts,
    sort: sort.key,
    descending: sort.descending,
    sortBy(key) {
      const falls = typeof key === 'number' || key === 'score' || key === 'hits';
      const descending = key === sort.key ? !sort.descending : falls;
      const name = typeof key === 'number' ? rangeName(data, key) : key;
      const written = `${descending ? '-' : ''}${name}`;
      change({ sort: written === DEFAULT_SORT ? undefined : written }, 'replace');
    },
    facet: (name) => parameters.get(name) ?? undefined,
    setFacet: (name, value) => change({ [name]: value }, 'push'),
    rangeOf: (dimension) => rangeIn(parameters, data, dimension),
    setRange: (dimension, range) =>
      change({ [rangeName(data, dimension)]: writeRange(range) }, 'replace'),
    isNarrowed: namesOfFilters(data).some((name) => parameters.has(name)),
    clear() {
      change(Object.fromEntries(namesOfFilters(data).map((name) => [name, undefined])), 'push');
    },
  };
}

/** Returns the value of a dimension, or with −1 the score. */
export function readValue(run: ReportRun, dimension: number): number {
  return dimension === -1 ? run.score : (run.values[dimension] ?? 0);
}

function namesOfFilters(data: ReportData): string[] {
  const ranges = [-1, ...data.dimensions.keys()].map((each) => rangeName(data, each));
  return ['q', AREA, ...FACETS.map(({ name }) => name), ...ranges];
}

function searchable(data: ReportData, run: ReportRun): string {
  const { id, title, task, file, model, profile, domain, objective, band } = run;
  const tools = [...new Set(toolsOfRun(data, run))];
  const parts = [id, title, task, file, model, profile, domain, objective, band, ...tools];
  return [...parts, outcomeOf(run)].filter((part) => part !== undefined).join('\n');
}

const DEFAULT_SORT = '-score';
const COLUMNS: readonly SortKey[] = ['score', 'id', 'title', 'task', 'steps', 'outcome', 'hits'];

function readSort(text: string | null, data: ReportData): { key: SortKey; descending: boolean } {
  const written = text ?? DEFAULT_SORT;
  const descending = written.startsWith('-');
  const name = descending ? written.slice(1) : written;
  const dimension = [...data.dimensions.keys()].find((each) => rangeName(data, each) === name);
  const key = dimension ?? COLUMNS.find((each) => each === name);
  return key === undefined ? { key: 'score', descending: true } : { key, descending };
}

function sorted(
  data: ReportData,
  sort: SortKey,
  descending: boolean,
  hits: ReadonlyMap<number, number>,
): number[] {
  const places = data.runs.map((_, place) => place);
  const keys = data.runs.map((run, place) => keyOf(run, sort, hits.get(place) ?? 0));
  const sign = descending ? -1 : 1;
  return places.sort((a, b) => {
    const [left, right] = [keys[a] ?? '', keys[b] ?? ''];
    // Ties keep the order of the runs in both sort directions.
    return left === right ? a - b : left < right ? -sign : sign;
  });
}

function keyOf(run: ReportRun, sort: SortKey, hits: number): string | number {
  if (typeof sort === 'number') return run.values[sort] ?? 0;
  switch (sort) {
    case 'score':
      return run.score;
    case 'id':
      return run.id;
    case 'title':
      return run.title;
    case 'task':
      return run.task ?? '';
    case 'steps':
      return run.steps.kinds.length;
    case 'outcome':
      return outcomeOf(run);
    case 'hits':
      return hits;
  }
}
