/** The key of `metadata` under which a trace carries its {@link RunDetails}. */
export const RUN_DETAILS_KEY = 'kp:run';

/** What a run took, and whose it was, where its recording or framework says so. */
export interface RunDetails {
  /** When it ended, ISO 8601 with Z; `created_at` of the metadata is when it began. */
  readonly ended_at?: string;
  /** From its start to its end, in milliseconds. */
  readonly duration_ms?: number;
  /** Tokens that the models read, in all calls together. */
  readonly input_tokens?: number;
  /** Tokens that the models wrote, in all calls together. */
  readonly output_tokens?: number;
  /** In US dollars. */
  readonly cost_usd?: number;
  /** The conversation that the run is a part of. */
  readonly session?: string;
  /** The user that it ran for. */
  readonly user?: string;
  /** The project that it was a part of: a name, or the folder that it ran in. */
  readonly project?: string;
}

type Writable = { -readonly [Field in keyof RunDetails]: RunDetails[Field] };

const AMOUNTS = ['duration_ms', 'input_tokens', 'output_tokens', 'cost_usd'] as const;
const TIME = /^\d{4}-\d{2}-\d{2}T.*Z$/;
const NAMES = ['session', 'user', 'project'] as const;

/**
 * Reads what the metadata of a trace says of the run. Fields with values that they cannot have are
 * left out.
 *
 * @param metadata - of a trace, valid or not.
 */
export function readRunDetails(metadata: object): RunDetails {
  return usableDetails(Reflect.get(metadata, RUN_DETAILS_KEY));
}

/**
 * Sets what a run took and whose it was; details without any field are left out.
 *
 * @param metadata - of a trace; changed in place.
 * @param details - the fields to set. Values that they cannot have are left out.
 */
export function writeRunDetails(metadata: object, details: RunDetails): void {
  const usable = usableDetails(details);
  if (Object.keys(usable).length > 0) Reflect.set(metadata, RUN_DETAILS_KEY, usable);
}

/**
 * A copy of metadata that says what the run took, but not in which session and project and for which user.
 *
 * @param metadata - of a trace; not changed.
 */
export function withoutRunNames<Metadata extends object>(metadata: Metadata): Metadata {
  const { session: _session, user: _user, project: _project, ...took } = readRunDetails(metadata);
  const copy = { ...metadata };
  Reflect.deleteProperty(copy, RUN_DETAILS_KEY);
  writeRunDetails(copy, took);
  return copy;
}

function usableDetails(value: unknown): RunDetails {
  const details: Writable = {};
  if (typeof value !== 'object' || value === null) return details;
  for (const name of AMOUNTS) {
    const amount: unknown = Reflect.get(value, name);
    if (typeof amount === 'number' && amount >= 0 && Number.isFinite(amount))
      details[name] = amount;
  }
  const endedAt: unknown = Reflect.get(value, 'ended_at');
  if (typeof endedAt === 'string' && TIME.test(endedAt) && !Number.isNaN(Date.parse(endedAt))) {
    details.ended_at = endedAt;
  }
  for (const name of NAMES) {
    const text: unknown = Reflect.get(value, name);
    if (typeof text === 'string' && text !== '') details[name] = text;
  }
  return details;
}
