import type { JSX } from 'preact';
import type { ReportData, ReportRun } from '../report-data.ts';
import { howItWent } from '../run-titles.ts';

interface RunTitleProps {
  readonly data: ReportData;
  readonly run: ReportRun;
}

/**
 * The title of a run and how it went, in separate elements, so that a right-to-left title does not
 * reorder the rest.
 */
export function RunTitle({ data, run }: RunTitleProps): JSX.Element {
  const went = howItWent(run, data.tools);
  return (
    <>
      <bdi>{run.title}</bdi>
      {went === '' ? '' : `, ${went}`}
    </>
  );
}
