import { mean } from '../statistics/rank-statistics.ts';

/** A bin of runs with similar predicted probabilities. */
export interface CalibrationBin {
  /** Number of runs in the bin. */
  readonly runs: number;
  /** Mean predicted probability of success. */
  readonly predicted: number;
  /** Observed success rate. */
  readonly observed: number;
}

/** Quality of predicted probabilities. */
export interface PredictionQuality {
  /** Mean squared error of the probabilities. */
  readonly brier: number;
  /** Brier score of the base rate, used as the probability of every run. */
  readonly brierBase: number;
  /** Mean difference between predicted and observed shares over the bins, weighted by their runs. */
  readonly calibrationError: number;
  /** The bins, from the lowest predicted probability to the highest. */
  readonly calibration: readonly CalibrationBin[];
}

const BINS = 5;

/**
 * Measures the quality of probabilities, with up to five bins of nearly equal size.
 *
 * @see Brier 1950, Verification of Forecasts Expressed in Terms of Probability.
 */
export function qualityOf(
  predicted: readonly number[],
  outcomes: readonly boolean[],
): PredictionQuality {
  const order = [...predicted.keys()].sort((a, b) => predicted[a] - predicted[b]);
  const rate = mean(outcomes.map(Number));
  const bins = Math.min(BINS, order.length);
  const calibration = Array.from({ length: bins }, (_, bin): CalibrationBin => {
    const at = (edge: number): number => Math.round((edge * order.length) / bins);
    const runs = order.slice(at(bin), at(bin + 1));
    return {
      runs: runs.length,
      predicted: mean(runs.map((run) => predicted[run])),
      observed: mean(runs.map((run) => Number(outcomes[run]))),
    };
  });
  return {
    brier: mean(predicted.map((probability, run) => (probability - Number(outcomes[run])) ** 2)),
    brierBase: rate * (1 - rate),
    calibrationError:
      calibration.reduce((sum, bin) => sum + bin.runs * Math.abs(bin.predicted - bin.observed), 0) /
      order.length,
    calibration,
  };
}
