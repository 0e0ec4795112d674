export { SCORE_RECORD_KEY } from '@kp/schema';
export type { SimilarityGraph, SimilarityGraphOptions } from '@kp/vector-cache';
export {
  type Agreement,
  AgreementError,
  type AgreementReader,
  type AgreementRun,
  agreement,
  createAgreementReader,
} from './agreement.ts';
export {
  type AgreementAudit,
  type AuditedRun,
  type AuditFinding,
  type AuditOptions,
  auditScores,
  type ScoreAudit,
  type ValueAudit,
} from './audit.ts';
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
export { contentKey } from './content-keys.ts';
export { corpusNovelty } from './corpus-novelty.ts';
export {
  CORPUS_VECTORS_ID,
  type CorpusVectorizer,
  corpusVectors,
  createCorpusVectorizer,
} from './corpus-vectors.ts';
export {
  type DuplicateGroup,
  type DuplicateOptions,
  findDuplicates,
  groupDuplicates,
  type RunMerit,
} from './duplicates.ts';
export { CurationInputError, TooFewGroupsError } from './errors.ts';
export { fitOutcome, type LabelledRun, type OutcomeFit } from './fit-outcome.ts';
export { type FitOptions, type FittedProfile, fitProfile } from './fit-profile.ts';
export type { OutcomeFeature } from './outcome-features.ts';
export {
  estimateOutcomes,
  type OutcomeCoefficient,
  type OutcomeEstimates,
  type OutcomeModel,
} from './outcome-model.ts';
export type { CalibrationBin, PredictionQuality } from './outcome-quality.ts';
export { areaUnderCurve, type Interval } from './rank-statistics.ts';
export { type CorpusScoreOptions, scoreCorpus } from './score-corpus.ts';
export {
  type Selection,
  type SelectionObjective,
  type SelectionOptions,
  selectSubset,
} from './select-subset.ts';

export type { PersonalDataKind } from './share/personal-data.ts';
export type { SecretPattern } from './share/secret-rule.ts';
export {
  createSecretScanner,
  type SecretFinding,
  type SecretScan,
  SecretScanError,
  type SecretScanner,
  type SecretScanOptions,
} from './share/secret-scanner.ts';
export {
  type ShareDecision,
  type ShareOptions,
  type ShareReason,
  shareable,
  withScore,
} from './share/share.ts';
export { buildSimilarityGraph } from './similarity-graph.ts';
export type { SparseVectors } from './sparse-rows.ts';
export type { SpreadObjective } from './spread.ts';
export type { Stability } from './stability.ts';
export { type TaskView, taskView } from './task-view.ts';
export { findWaste, type SameSteps, type TraceWaste } from './waste.ts';
