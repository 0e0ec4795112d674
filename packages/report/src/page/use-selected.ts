import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ReportData } from '../report-data.ts';

/** The run that is shown in full. */
interface SelectedRun {
  /** Its place in the data; that of the first pick until a run is chosen. */
  readonly selected: number;
  /** Whether the reader, or the address, chose it. */
  readonly isChosen: boolean;
  select(place: number): void;
}

const PARAMETER = 'run';

/** @param hasAddress - whether the address names the run that is chosen: `#run=…`. */
export function useSelected(data: ReportData, hasAddress: boolean): SelectedRun {
  const places = useMemo(() => new Map(data.runs.map(({ id }, place) => [id, place])), [data]);
  const [chosen, setChosen] = useState(() => (hasAddress ? placeInAddress(places) : undefined));
  useEffect(() => {
    if (!hasAddress) return undefined;
    const follow = (): void => {
      const place = placeInAddress(places);
      if (place !== undefined) setChosen(place);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [places, hasAddress]);
  return {
    selected: chosen ?? data.picks?.runs[0] ?? 0,
    isChosen: chosen !== undefined,
    select(place) {
      setChosen(place);
      const id = data.runs[place]?.id;
      if (id === undefined || !hasAddress) return;
      history.replaceState(null, '', `#${PARAMETER}=${encodeURIComponent(id)}`);
    },
  };
}

function placeInAddress(places: ReadonlyMap<string, number>): number | undefined {
  const id = new URLSearchParams(location.hash.slice(1)).get(PARAMETER);
  return id === null ? undefined : places.get(id);
}
