import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import systemPath, { dirname, resolve } from 'node:path';
import { wrongUse } from '../output/errors.ts';
import { readJson, resolveInputs } from '../runs/inputs.ts';
import type { InputFlags } from '../runs/options.ts';

/**
 * How written files came about, as an in-toto statement: what was written, from which files, by what.
 *
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 */
export interface ProvenanceRecord {
  readonly _type: 'https://in-toto.io/Statement/v1';
  /** The files that were written. */
  readonly subject: readonly FileDigest[];
  readonly predicateType: string;
  readonly predicate: {
    /** The words of the command, but for those of where to write; run where `folder` leads. */
    readonly arguments: readonly string[];
    /** From the folder of this record to that in which the command was run. */
    readonly folder: string;
    readonly sources: readonly FileDigest[];
    readonly method: RecordedMethod;
  };
}

/** What must be the same for the same files, besides the sources. */
export type RecordedMethod = Readonly<Record<string, string | number>>;

export interface FileDigest {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** Which command wrote a record, and where it lies. */
export interface RecordKind {
  readonly predicateType: string;
  /** For messages: `kp select`. */
  readonly command: string;
  /** Where the record of written files lies. */
  recordPath(output: string): string;
}

export type RecordedChoice = Omit<ProvenanceRecord['predicate'], 'folder'>;

/**
 * @param path - where the record will lie.
 * @param words - the words of the command, as given.
 */
export function provenanceRecord<Details extends object>(
  { predicateType }: RecordKind,
  path: string,
  subject: readonly FileDigest[],
  { arguments: words, ...choice }: RecordedChoice & Details,
): ProvenanceRecord {
  const folder = pathBetween(dirname(resolve(path)), process.cwd());
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType,
    predicate: { arguments: withoutOutput(words), folder, ...choice },
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

/**
 * Digests of all files that a choice is made from, by the names that the words give them.
 *
 * @param named - files that options name, besides the labels.
 */
export async function digestSources(
  files: readonly string[],
  { labels, exclude }: Pick<InputFlags, 'labels' | 'exclude'>,
  named: readonly (string | undefined)[],
): Promise<FileDigest[]> {
  const { inputs } = await resolveInputs(files, { labels, exclude });
  const paths = inputs.map(({ name, bytes }) => (bytes === undefined ? undefined : name));
  const sources: FileDigest[] = [];
  for (const path of [...paths, labels, ...named]) {
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
 * Reads a record by its own name or by that of what it is about.
 *
 * @throws UsageError when it is not there, or no such record.
 */
export async function readRecord(
  path: string,
  { predicateType, command, recordPath }: RecordKind,
): Promise<{ readonly record: ProvenanceRecord; readonly path: string }> {
  const place = path.endsWith('.provenance.json') ? path : recordPath(path);
  const record = (await readJson(place, '--verify')) as ProvenanceRecord | null;
  if (record?.predicateType === predicateType && isWhole(record)) return { record, path: place };
  throw wrongUse(`--verify ${place}`, `a record that ${command} -o wrote`, 'another file');
}

function isWhole({ subject, predicate }: Partial<ProvenanceRecord>): boolean {
  const { arguments: words, folder, sources, method } = { ...predicate };
  const isDigest = (file: Partial<FileDigest> | null): boolean =>
    typeof file?.name === 'string' && typeof file.digest?.sha256 === 'string';
  return (
    Array.isArray(subject) &&
    subject.length > 0 &&
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
  { predicate }: ProvenanceRecord,
  sources: readonly FileDigest[],
  method: RecordedMethod,
): string[] {
  const lines: string[] = [];
  const now = new Map(sources.map(({ name, digest }) => [name, digest.sha256]));
  for (const { name, digest } of predicate.sources) {
    const found = now.get(name);
    if (found === undefined) lines.push(`source ${name}: no longer exists`);
    else if (found !== digest.sha256) lines.push(`source ${name}: has changed`);
    now.delete(name);
  }
  for (const name of now.keys()) lines.push(`source ${name}: is new`);
  for (const [name, value] of Object.entries(predicate.method)) {
    if (method[name] !== value) lines.push(`${name}: was ${value}, is ${method[name]}`);
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
