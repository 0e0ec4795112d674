export {
  createReportData,
  type ReportDataOptions,
  type ReportStep,
  type ReportTrace,
  type ScoredRun,
} from './create-report-data.ts';
export {
  layOutRuns,
  type MapNeighbors,
  type MapOptions,
  type RunVector,
  type SparseVector,
} from './map-layout.ts';
export { renderReport } from './render-report.ts';
export type {
  ReportCluster,
  ReportComparison,
  ReportData,
  ReportMap,
  ReportNote,
  ReportPicks,
  ReportRun,
  StepStrip,
  Withheld,
} from './report-data.ts';
