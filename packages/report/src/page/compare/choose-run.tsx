import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ReportData } from '../../report-data.ts';
import type { OpenRun } from '../use-open-run.ts';

/** The choice of two runs to compare: the next run that is opened becomes the second one. */
export interface ComparisonChoice {
  /** The first run; undefined unless the reader is choosing the second one. */
  readonly first: number | undefined;
  start(first: number): void;
  cancel(): void;
  /** Opens a run, or compares it with the first one. */
  open(place: number, how?: 'push' | 'replace'): void;
}

export function useComparisonChoice(opened: OpenRun): ComparisonChoice {
  const [first, setFirst] = useState<number>();
  return {
    first,
    start: setFirst,
    cancel: () => setFirst(undefined),
    open(place, how) {
      // The next or the previous run replaces the open one, also during a choice.
      if (first === undefined || first === place || how === 'replace') opened.open(place, how);
      else {
        opened.compare(first, place);
        setFirst(undefined);
      }
    },
  };
}

interface ChooseRunProps {
  readonly data: ReportData;
  /** The first run of the comparison. */
  readonly place: number;
  onChoose(place: number): void;
  onCancel(): void;
}

/** Lets the reader choose the second run of a comparison. */
export function ChooseRun({ data, place, onChoose, onCancel }: ChooseRunProps): JSX.Element {
  const run = data.runs[place];
  const nearest = data.runs.findIndex(({ id }) => id === run?.nearest?.id);
  return (
    <div class="choosing" role="status">
      <span>
        Choose a run to compare with <bdi>{run?.title ?? ''}</bdi>
      </span>
      {nearest >= 0 && nearest !== place && (
        <button type="button" onClick={() => onChoose(nearest)}>
          The one most alike
        </button>
      )}
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
