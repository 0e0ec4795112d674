import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import systemPath, { basename, dirname, resolve } from 'node:path';
import { CORPUS_VECTORS_ID } from '@kp/curation';
import { wrongUse } from '../output/errors.ts';
import { readJson, resolveInputs } from '../runs/inputs.ts';
import type { Choice, ChoiceFlags } from './choose-runs.ts';

/**
 * How a selection came about, as an in-toto statement: what was written, from which files, by what.
 *
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 */
export interface SelectionRecord {
  readonly _type: 'https://in-toto.io/Statement/v1';
  /** The file that was written. */
  readonly subject: readonly SourceDigest[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: {
    /** The words of the command, but for those of where to write; run where `folder` leads. */
    readonly arguments: readonly string[];
    /** From the folder of this record to that in which the command was run. */
    readonly folder: string;
    readonly sources: readonly SourceDigest[];
    readonly method: SelectionMethod;
    readonly chosen: readonly { readonly id: string; readonly gain: number }[];
  };
}

export interface SourceDigest {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** What must be the same for the same selection, besides the sources. */
export interface SelectionMethod {
  readonly kp: string;
  /** The version of the rules for written files. */
  readonly writer: string;
  readonly vectors: string;
  /** Name and version of the formula of scores. */
  readonly formula: string;
  readonly objective: string;
  readonly baseline: number;
  readonly neighbors: number;
}

const PREDICATE_TYPE = 'https://openknowledgepulse.org/attestation/selection/v1';
const WRITER = 'kp-select/1';

/** Where the record of a written file lies. */
export function recordPath(output: string): string {
  return `${output}.provenance.json`;
}

export function methodOf(
  { corpus, selection }: Choice,
  flags: ChoiceFlags,
  kp: string,
): SelectionMethod {
  const formula = corpus.reports[0]?.formula;
  return {
    kp,
    writer: WRITER,
    vectors: CORPUS_VECTORS_ID,
    formula: formula === undefined ? 'none' : `${formula.name}/${formula.version}`,
    objective: flags.objective,
    baseline: selection.baseline,
    neighbors: corpus.graph.neighbors,
  };
}

/**
 * The way from one folder to another as every system reads it, with `/` between the names. From one
 * drive of Windows to another there is none; then it is the other folder.
 */
export function pathBetween(
  from: string,
  to: string,
  system: Pick<typeof systemPath, 'relative' | 'sep'> = systemPath,
): string {
  return system.relative(from, to).replaceAll(system.sep, '/');
}

/** @param words - the words of the command, as given. */
export function selectionRecord(
  output: string,
  sha256: string,
  words: readonly string[],
  sources: readonly SourceDigest[],
  method: SelectionMethod,
  { corpus, selection }: Choice,
): SelectionRecord {
  const folder = pathBetween(dirname(resolve(output)), process.cwd());
  const chosen = selection.ranking.map((run, rank) => ({
    id: corpus.runs[run]?.fields.trace ?? '',
    gain: selection.gains[rank] as number,
  }));
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: basename(output), digest: { sha256 } }],
    predicateType: PREDICATE_TYPE,
    predicate: { arguments: withoutOutput(words), folder, sources, method, chosen },
  };
}

/**
 * Digests of all files that a selection is made from, by the names that the words give them.
 *
 * @throws UsageError when one is standard input, which cannot be read again.
 */
export async function digestSources(
  files: readonly string[],
  { labels, exclude, seededBy }: ChoiceFlags,
): Promise<SourceDigest[]> {
  const { inputs } = await resolveInputs(files, { labels, exclude });
  const paths = inputs.map(({ name, bytes }) => (bytes === undefined ? undefined : name));
  const sources: SourceDigest[] = [];
  for (const path of [...paths, labels, seededBy]) {
    if (path !== undefined)
      sources.push({ name: path, digest: { sha256: await digestFile(path) } });
  }
  return sources;
}

export async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/**
 * Reads a record by its own name or by that of the file that it is about.
 *
 * @throws UsageError when it is not there, or no such record.
 */
export async function readRecord(
  path: string,
): Promise<{ readonly record: SelectionRecord; readonly path: string }> {
  const place = path.endsWith('.provenance.json') ? path : recordPath(path);
  const record = (await readJson(place, '--verify')) as SelectionRecord | null;
  if (record?.predicateType === PREDICATE_TYPE && isWhole(record)) {
    return { record, path: place };
  }
  throw wrongUse(`--verify ${place}`, 'a record that kp select -o wrote', 'another file');
}

function isWhole({ subject, predicate }: Partial<SelectionRecord>): boolean {
  const { arguments: words, folder, sources, method } = { ...predicate };
  const isDigest = (file: Partial<SourceDigest> | null): boolean =>
    typeof file?.name === 'string' && typeof file.digest?.sha256 === 'string';
  return (
    Array.isArray(subject) &&
    subject.length === 1 &&
    subject.every(isDigest) &&
    Array.isArray(words) &&
    words.every((word) => typeof word === 'string') &&
    typeof folder === 'string' &&
    Array.isArray(sources) &&
    sources.every(isDigest) &&
    typeof method === 'object' &&
    method !== null
  );
}

/** What differs between a record and what is there today, a line each; none when all is the same. */
export function differences(
  record: SelectionRecord,
  sources: readonly SourceDigest[],
  method: SelectionMethod,
): string[] {
  const lines: string[] = [];
  const now = new Map(sources.map(({ name, digest }) => [name, digest.sha256]));
  for (const { name, digest } of record.predicate.sources) {
    const found = now.get(name);
    if (found === undefined) lines.push(`source ${name}: is not there any more`);
    else if (found !== digest.sha256) lines.push(`source ${name}: has changed`);
    now.delete(name);
  }
  for (const name of now.keys()) lines.push(`source ${name}: is new`);
  for (const [name, value] of Object.entries(record.predicate.method)) {
    const found = method[name as keyof SelectionMethod];
    if (found !== value) lines.push(`${name}: was ${value}, is ${found}`);
  }
  return lines;
}

/** Options that say where to write, not what. */
function withoutOutput(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '-o' || word === '--output') at++;
    else if (!word.startsWith('--output=') && !/^-o./.test(word)) kept.push(word);
  }
  return kept;
}
