import type { JSX } from 'preact';
import type { ReportData } from '../../report-data.ts';

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
