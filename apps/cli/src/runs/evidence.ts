import type { Field } from './run-fields.ts';

/** What is said of a run beside its recorded outcome; never mixed with it. */
export interface Evidence {
  /** How much its end agrees with other agents on its task; null: it cannot be compared. */
  readonly agreement?: number | null;
  /** The probability of success by a model of the user's own labels. */
  readonly estimate?: number;
}

/** From here on an estimate counts as a success. */
export const LEAST_ESTIMATE = 0.5;

/** Names and values for CSV and `--where`; absent without `--corpus` or `--outcome-model`. */
export const EVIDENCE_FIELDS: readonly (Field<Evidence> & {
  readonly part: keyof Evidence;
})[] = [
  {
    name: 'agreement',
    part: 'agreement',
    kind: 'number',
    value: ({ agreement }) => agreement ?? null,
  },
  {
    name: 'estimated',
    part: 'estimate',
    kind: 'truth',
    value: ({ estimate }) => (estimate === undefined ? null : estimate >= LEAST_ESTIMATE),
  },
  {
    name: 'estimated_probability',
    part: 'estimate',
    kind: 'number',
    value: ({ estimate }) => estimate ?? null,
  },
];

/** What the JSON outputs say of it. */
export function evidenceRecord(evidence: Evidence = {}): object {
  const { agreement, estimate } = evidence;
  if (estimate === undefined) return { agreement };
  return { agreement, estimated: { success: estimate >= LEAST_ESTIMATE, probability: estimate } };
}
