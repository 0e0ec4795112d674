import { MappingError } from '../errors/errors.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import { type JsonPath, parsePath } from './json-path.ts';

/**
 * A declarative description of a format. Each text is a path such as `$.sessions[*]`; those of a message are
 * relative to it.
 */
export interface Mapping {
  /** The name of the format in results: lower-case letters, digits and hyphens. Default: `mapped`. */
  readonly name?: string;
  /** The runs of a value: a file, a line, or an element of the file's array. Default: `$`, the value itself. */
  readonly runs?: string;
  /** The messages of a run. `$[*]`: each line or array element of the file is a message. */
  readonly messages: string;
  /** Path of a message's role. Default: all messages are the agent's, such as steps with an action. */
  readonly role?: string;
  /** Path of a message's text. */
  readonly content: string;
  /** Path of a message's reasoning, if it is separate from the text. */
  readonly thinking?: string;
  /** The meaning of the recorded roles, such as `{"bot": "assistant"}`. */
  readonly roles?: Readonly<Record<string, MappedRole>>;
  /** Paths of a message's tool calls. `name`, `arguments` and `id` are relative to a call. */
  readonly calls?: {
    readonly at: string;
    readonly name: string;
    readonly arguments?: string;
    readonly id?: string;
  };
  /**
   * Paths of a message's tool results. Default, and if a message of a tool holds none: each message with
   * the role `tool` is a result, with its content.
   */
  readonly results?: {
    readonly at?: string;
    readonly content?: string;
    readonly id?: string;
    /** Path that marks an error: any value other than false, null, 0 and ''. */
    readonly error?: string;
  };
  /** Path of the run's id. */
  readonly id?: string;
  /** Path of the objective. */
  readonly objective?: string;
  /** Path of the task's name. */
  readonly task?: string;
  /** Path of the verdict: true, false, a word such as `passed`, or a grade. */
  readonly verdict?: string;
  /** Path of the model's name. */
  readonly model?: string;
  /** Path of the start time. */
  readonly createdAt?: string;
}

/** The meaning of a role. `system` messages are omitted. */
export type MappedRole = 'user' | 'assistant' | 'tool' | 'system';

const FIELDS = [
  'runs',
  'messages',
  'role',
  'content',
  'thinking',
  'id',
  'objective',
  'task',
  'verdict',
  'model',
  'createdAt',
] as const;
const REQUIRED = new Set(['messages', 'content']);
const CALLS = ['at', 'name', 'arguments', 'id'] as const;
const RESULTS = ['at', 'content', 'id', 'error'] as const;
const ROLES: readonly MappedRole[] = ['user', 'assistant', 'tool', 'system'];

type FieldName = (typeof FIELDS)[number];
type CallName = (typeof CALLS)[number];
type ResultName = (typeof RESULTS)[number];
type Paths<Name extends string> = { readonly [Field in Name]?: JsonPath };

/** A mapping with its paths parsed. */
export interface ParsedMapping {
  readonly name: string;
  readonly paths: Paths<FieldName>;
  readonly calls: Paths<CallName>;
  readonly results: Paths<ResultName>;
  readonly roles: ReadonlyMap<string, MappedRole>;
}

/**
 * Checks a mapping and parses its paths.
 *
 * @throws {@link MappingError} that names the first invalid field.
 */
export function parseMapping(mapping: unknown): ParsedMapping {
  const value = mapping as JsonValue;
  if (!isJsonObject(value)) throw new MappingError('$', 'an object', value);
  const known = [...FIELDS, 'name', 'calls', 'results', 'roles'];
  rejectUnknown(value, known, '');
  const { name = 'mapped', calls, results, roles = {} } = value;
  if (typeof name !== 'string' || !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(name)) {
    throw new MappingError('name', 'lower-case letters, digits and hyphens', name);
  }
  return {
    name,
    paths: readPaths(value, FIELDS, REQUIRED, ''),
    calls: readGroup(calls, 'calls', CALLS, new Set(['at', 'name'])),
    results: readGroup(results, 'results', RESULTS, new Set()),
    roles: readRoles(roles),
  };
}

function readGroup<Name extends string>(
  group: JsonValue | undefined,
  place: string,
  names: readonly Name[],
  required: ReadonlySet<string>,
): Paths<Name> {
  if (group === undefined) return {};
  if (!isJsonObject(group)) throw new MappingError(place, 'an object with paths', group);
  rejectUnknown(group, names, `${place}.`);
  return readPaths(group, names, required, `${place}.`);
}

function rejectUnknown(value: object, known: readonly string[], prefix: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new MappingError(
    prefix === '' ? '$' : prefix.slice(0, -1),
    `only ${known.join(', ')}`,
    unknown,
  );
}

function readPaths<Name extends string>(
  value: Readonly<Record<string, JsonValue>>,
  names: readonly Name[],
  required: ReadonlySet<string>,
  prefix: string,
): Paths<Name> {
  const paths: { [Field in Name]?: JsonPath } = {};
  for (const name of names) {
    const text = value[name];
    if (text === undefined && !required.has(name)) continue;
    const path = typeof text === 'string' ? parsePath(text) : undefined;
    if (path === undefined) {
      throw new MappingError(`${prefix}${name}`, 'a path such as $.turns[*]', text);
    }
    paths[name] = path;
  }
  return paths;
}

function readRoles(roles: JsonValue): ReadonlyMap<string, MappedRole> {
  if (!isJsonObject(roles)) throw new MappingError('roles', 'an object', roles);
  return new Map(
    Object.entries(roles).map(([role, meaning]) => {
      const known = ROLES.find((each) => each === meaning);
      if (known === undefined) {
        throw new MappingError(`roles.${role}`, `one of ${ROLES.join(', ')}`, meaning);
      }
      return [role, known];
    }),
  );
}
