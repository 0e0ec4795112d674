import type { JSX } from 'preact';
import { reasonFor, titleOf } from '../describe-runs.ts';
import type { ReportData, ReportPicks, ReportRun } from '../report-data.ts';
import { Contributions, Outcome } from './run-table.tsx';

interface PicksProps {
  readonly data: ReportData;
  readonly picks: ReportPicks;
  onOpen(place: number): void;
}

/** The runs that are worth reading, each with its reason. */
export function Picks({ data, picks, onOpen }: PicksProps): JSX.Element {
  return (
    <ol class="picks">
      {picks.runs.map((place, pick) => {
        const run = data.runs[place] as ReportRun;
        return (
          <li key={place}>
            <button type="button" onClick={() => onOpen(place)}>
              <span class="score">{run.score.toFixed(2)}</span>
              <span class="what">
                <bdi>{titleOf(run, data.tools)}</bdi>
                <small>{reasonFor(data, pick)}</small>
              </span>
              <Contributions run={run} />
              <Outcome run={run} />
            </button>
          </li>
        );
      })}
    </ol>
  );
}
