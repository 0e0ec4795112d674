import { createHash } from 'node:crypto';
import { CORPUS_VECTORS_ID } from '@kp/curation';
import { createPause } from '@kp/foundation';
import { wrongUse } from '../output/errors.ts';
import { VERSION } from '../output/version.ts';
import { type NewObject, readText, type Store, type StoredObject } from './store.ts';

/** Bytes that are read or written at once. */
const CHUNK = 2 ** 20;

/** Layout version of the objects; shards with another layout are rejected. */
const CORPUS_FORMAT = 'kp-corpus/1';

/** An object that a task wrote. */
interface TaskOutput {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * The record of a complete task: the object `TASK.done`, which is written last. The outputs of a
 * task without this record are incomplete and never read.
 */
export interface DoneTask<Facts> {
  readonly format: string;
  readonly task: string;
  /** Version of kp, and of the vectors. */
  readonly kp: string;
  readonly vectors: string;
  /** Digest of everything that the outputs depend on. */
  readonly inputs: string;
  /** By role, such as `rows`. */
  readonly outputs: Readonly<Record<string, TaskOutput>>;
  readonly facts: Facts;
  /** Work time and end time, for estimates. */
  readonly seconds: number;
  readonly finishedAt: string;
}

/** A unit of work whose outputs do not depend on where or how often it runs. */
export interface Task<Facts> {
  /** Predictable name, such as `map-00003-of-00016`. */
  readonly name: string;
  /** Everything that the outputs depend on, except the versions. */
  readonly inputs: unknown;
  /** Called if the task is already complete. Throws if its result no longer applies. */
  readonly check?: (done: DoneTask<Facts>) => Promise<void>;
  /** Computes the outputs. */
  work(outputs: TaskOutputs): Promise<Facts>;
}

export interface TaskOutputs {
  /**
   * Starts an output.
   *
   * @param extension - of the object's name.
   */
  begin(role: string, extension: string): Promise<OutputWriter>;
}

export interface OutputWriter {
  write(chunk: string | Uint8Array): Promise<void>;
}

export function taskName(stage: 'map' | 'cell', index: number, of: number): string {
  const number = (value: number): string => String(value).padStart(5, '0');
  return `${stage}-${number(index)}-of-${number(of)}`;
}

export const PLAN_TASK = 'plan';

/**
 * Runs a task unless it is already complete, and records it.
 *
 * @returns The record, and whether the task had to run.
 * @throws UsageError if a task of the same name is complete for other inputs, and OutputError if an
 * output cannot be written.
 */
export async function runTask<Facts>(
  store: Store,
  task: Task<Facts>,
): Promise<{ readonly done: DoneTask<Facts>; readonly isNew: boolean }> {
  const inputs = digestOf([CORPUS_FORMAT, VERSION, CORPUS_VECTORS_ID, task.name, task.inputs]);
  const earlier = await findDone<Facts>(store, task.name);
  if (earlier !== undefined) {
    checkInputs(store, earlier, inputs);
    await task.check?.(earlier);
    return { done: earlier, isNew: false };
  }
  const startedAt = performance.now();
  const files = createOutputs(store, `${task.name}.${inputs.slice(0, 12)}`);
  try {
    const facts = await task.work(files);
    const done: DoneTask<Facts> = {
      format: CORPUS_FORMAT,
      task: task.name,
      kp: VERSION,
      vectors: CORPUS_VECTORS_ID,
      inputs,
      outputs: await files.keep(),
      facts,
      seconds: Math.round(performance.now() - startedAt) / 1000,
      finishedAt: new Date().toISOString(),
    };
    if (await store.create(doneName(task.name), `${JSON.stringify(done)}\n`)) {
      return { done, isNew: true };
    }
  } finally {
    await files.discard();
  }
  // Another process finished first.
  const other = await findDone<Facts>(store, task.name);
  if (other === undefined) throw missingTask(store, task.name);
  checkInputs(store, other, inputs);
  return { done: other, isNew: false };
}

/** Reads the record of a task; undefined if it is not complete. */
export async function findDone<Facts>(
  store: Store,
  name: string,
): Promise<DoneTask<Facts> | undefined> {
  const text = await readText(store, doneName(name));
  if (text === undefined) return undefined;
  const done = parseDone<Facts>(text);
  if (done?.task !== name) throw damaged(store, doneName(name), 'the record of a task');
  checkVersions(store, done);
  return done;
}

/** @throws UsageError if the task is not complete. */
export async function readDone<Facts>(store: Store, name: string): Promise<DoneTask<Facts>> {
  const done = await findDone<Facts>(store, name);
  if (done === undefined) throw missingTask(store, name);
  return done;
}

/** What a task computed: equal for all attempts, whatever they named their outputs. */
export function contentOf({ inputs, outputs }: DoneTask<unknown>): unknown {
  return [
    inputs,
    Object.entries(outputs).map(([role, { bytes, sha256 }]) => [role, bytes, sha256]),
  ];
}

function doneName(task: string): string {
  return `${task}.done`;
}

/** Returns the digest of a value that JSON can hold. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/**
 * Opens an output of a complete task.
 *
 * @param verify - also compare the digest, which reads the whole object.
 * @throws UsageError if the object is missing, truncated or changed.
 */
export async function openOutput(
  store: Store,
  { task, outputs }: DoneTask<unknown>,
  role: string,
  verify = true,
): Promise<StoredObject> {
  const output = outputs[role];
  if (output === undefined) throw damaged(store, doneName(task), `an output named ${role}`);
  const object = await store.open(output.name);
  if (object === undefined) throw damaged(store, output.name, 'the output of a task', 'none');
  const isWhole =
    object.byteLength === output.bytes &&
    (!verify || (await digestObject(object)) === output.sha256);
  if (isWhole) return object;
  await object.close();
  throw damaged(
    store,
    output.name,
    `${output.bytes} bytes with the digest of the task`,
    `${object.byteLength} bytes${object.byteLength === output.bytes ? ' that differ' : ''}`,
    `remove ${doneName(task)} and run the task again`,
  );
}

async function digestObject(object: StoredObject): Promise<string> {
  const hash = createHash('sha256');
  const pause = createPause();
  for (let at = 0; at < object.byteLength; at += CHUNK) {
    hash.update(new Uint8Array(await object.slice(at, at + CHUNK)));
    await pause();
  }
  return hash.digest('hex');
}

function createOutputs(store: Store, prefix: string) {
  const open: { role: string; object: NewObject; end: () => Promise<TaskOutput> }[] = [];
  return {
    async begin(role: string, extension: string): Promise<OutputWriter> {
      const object = await store.begin(`${prefix}.${role}.${extension}`);
      const hash = createHash('sha256');
      let bytes = 0;
      let waiting: Uint8Array[] = [];
      let waitingBytes = 0;
      const flush = async (): Promise<void> => {
        const data = Buffer.concat(waiting);
        waiting = [];
        waitingBytes = 0;
        hash.update(data);
        await object.write(data);
      };
      open.push({
        role,
        object,
        async end() {
          await flush();
          await object.keep();
          return { name: object.name, bytes, sha256: hash.digest('hex') };
        },
      });
      return {
        async write(chunk) {
          const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
          waiting.push(data);
          waitingBytes += data.length;
          bytes += data.length;
          if (waitingBytes >= CHUNK) await flush();
        },
      };
    },
    async keep(): Promise<Record<string, TaskOutput>> {
      const outputs: Record<string, TaskOutput> = {};
      for (const { role, end } of open) outputs[role] = await end();
      return outputs;
    },
    async discard(): Promise<void> {
      for (const { object } of open) await object.discard();
    },
  };
}

function parseDone<Facts>(text: string): DoneTask<Facts> | undefined {
  try {
    const done = JSON.parse(text) as DoneTask<Facts> | null;
    return typeof done?.inputs === 'string' && typeof done.outputs === 'object' ? done : undefined;
  } catch {
    return undefined;
  }
}

function checkVersions(store: Store, { task, format, kp, vectors }: DoneTask<unknown>): void {
  const expected = `work of kp ${VERSION} with ${CORPUS_VECTORS_ID}`;
  if (format === CORPUS_FORMAT && kp === VERSION && vectors === CORPUS_VECTORS_ID) return;
  const received = `work of kp ${kp} with ${vectors}`;
  const remedy = 'use the same version for all stages, or another folder';
  throw wrongUse(`${store.location}/${doneName(task)}`, expected, received, remedy);
}

function checkInputs(store: Store, { task, inputs }: DoneTask<unknown>, own: string): void {
  if (inputs === own) return;
  throw wrongUse(
    `${store.location}/${doneName(task)}`,
    'the same inputs and options as before',
    'different ones',
    'use another folder, or remove this file to compute it again',
  );
}

function missingTask(store: Store, task: string): Error {
  const subject = `${store.location}/${doneName(task)}`;
  return wrongUse(subject, 'a complete task', 'none', 'run it first; kp corpus status lists all');
}

function damaged(
  store: Store,
  name: string,
  expected: string,
  received = 'different content',
  remedy = 'use another folder',
): Error {
  return wrongUse(`${store.location}/${name}`, expected, received, remedy);
}
