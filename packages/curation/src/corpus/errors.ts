import {
  canHoldOptions,
  describeValue,
  findUnknownOption,
  KnowledgePulseError,
  type OptionNames,
} from '@kp/foundation';
import type { ScoreReport } from '@kp/scoring';
import type { SimilarityGraph } from '@kp/vector-cache';

/** Thrown if an argument of this package is invalid. */
export class CurationInputError extends KnowledgePulseError<'CURATION_INPUT_INVALID', string> {
  constructor(
    subject: string,
    expected: string,
    received: unknown,
    cause?: unknown,
    remedy?: string,
  ) {
    super({
      name: 'CurationInputError',
      code: 'CURATION_INPUT_INVALID',
      subject,
      expected,
      received: describeValue(received),
      remedy,
      cause,
    });
  }
}

/** Thrown if there are too few tasks for the requested error rate. */
export class TooFewGroupsError extends KnowledgePulseError<'TOO_FEW_GROUPS', string> {
  /** Minimum number of tasks. */
  readonly needed: number;

  constructor(rate: number, needed: number, found: number) {
    super({
      name: 'TooFewGroupsError',
      code: 'TOO_FEW_GROUPS',
      subject: 'groups',
      expected: `at least ${needed} tasks for an error rate of ${rate}`,
      received: String(found),
      remedy: 'add runs of other tasks or accept a higher rate',
    });
    this.needed = needed;
  }
}

/** @throws {@link CurationInputError} unless the value is a number within the bounds. */
export function checkNumber(subject: string, value: unknown, least: number, most: number): void {
  if (typeof value === 'number' && value >= least && value <= most) return;
  throw new CurationInputError(subject, `a number from ${least} to ${most}`, value);
}

/** @throws {@link CurationInputError} unless the value is an integer of at least `least`. */
export function checkCount(subject: string, value: unknown, least: number): void {
  if (Number.isInteger(value) && Number(value) >= least) return;
  throw new CurationInputError(subject, `an integer of at least ${least}`, value);
}

/** @throws {@link CurationInputError} unless the value is an array. */
export function checkList(subject: string, values: unknown): void {
  if (!Array.isArray(values)) throw new CurationInputError(subject, 'an array', values);
}

/**
 * @param values - an array, or numbers in a typed array.
 * @throws {@link CurationInputError} unless there is one entry per run.
 */
export function checkEntries(subject: string, values: ArrayLike<unknown>, size: number): void {
  if (!ArrayBuffer.isView(values)) checkList(subject, values);
  if (values.length !== size) {
    throw new CurationInputError(subject, `${size} entries, one per run`, values.length);
  }
}

/**
 * @throws {@link CurationInputError} unless options are an object with no other names than these, and
 * their signal is usable.
 */
export function checkOptions(options: object, names: OptionNames): void {
  if (!canHoldOptions(options)) {
    throw new CurationInputError('options', 'an object', options);
  }
  const unknown = findUnknownOption(options, names);
  if (unknown !== undefined) {
    const { expected, name, remedy } = unknown;
    throw new CurationInputError('options', expected, name, undefined, remedy);
  }
  const { signal } = options as { readonly signal?: AbortSignal };
  if (signal === undefined || typeof signal?.throwIfAborted === 'function') return;
  throw new CurationInputError('signal', 'an AbortSignal', signal);
}

/** @throws {@link CurationInputError} unless the value looks like a graph. */
export function checkGraph(graph: SimilarityGraph): void {
  if (typeof graph?.similarity === 'function') return;
  throw new CurationInputError('graph', 'the graph that buildSimilarityGraph resolves to', graph);
}

/**
 * @throws {@link CurationInputError} unless all are reports; names the first run that has a number
 * that is not finite.
 */
export function checkReports(reports: readonly ScoreReport[]): void {
  checkList('reports', reports);
  for (const [run, report] of reports.entries()) {
    if (typeof report?.dimensions !== 'object') {
      throw new CurationInputError(`reports[${run}]`, 'a report of a score', report);
    }
    const { score, composite, dimensions, weights, contributions, complexity } = report;
    const records = { dimensions, weights, contributions, complexity };
    const numbers = Object.entries(records).flatMap(([field, values]) =>
      Object.entries(values ?? {}).map(([name, value]) => [`${field}.${name}`, value] as const),
    );
    for (const [name, value] of [...numbers, ['score', score], ['composite', composite]] as const) {
      if (Number.isFinite(value)) continue;
      const subject = `reports[${run}].${name} of ${report.traceId}`;
      throw new CurationInputError(subject, 'a finite number', value);
    }
  }
}
