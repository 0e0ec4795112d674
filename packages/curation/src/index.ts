export {
  type Band,
  type BandOptions,
  type Bands,
  bandOf,
  type CalibratedThreshold,
  type CalibrationOptions,
  calibrateThreshold,
  calibrateThresholds,
} from './calibrate.ts';
export { corpusNovelty } from './corpus-novelty.ts';
export {
  type DuplicateGroup,
  type DuplicateOptions,
  findDuplicates,
  groupDuplicates,
  type RunMerit,
} from './duplicates.ts';
export { CurationInputError, TooFewGroupsError } from './errors.ts';
export type { NearestLists } from './nearest-lists.ts';
export {
  type Selection,
  type SelectionObjective,
  type SelectionOptions,
  selectSubset,
} from './select-subset.ts';
export {
  buildSimilarityGraph,
  type SimilarityGraph,
  type SimilarityGraphOptions,
} from './similarity-graph.ts';
export type { SpreadObjective } from './spread.ts';
