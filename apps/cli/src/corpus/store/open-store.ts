import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { wrongUse } from '../../output/errors.ts';
import { isFolder } from '../../runs/inputs/named-files.ts';
import { placeOf, type ReadPlaces, refuseInside } from '../../runs/options/output-place.ts';
import { pathBetween } from '../../selection/provenance-record.ts';
import { parseReading } from '../corpus-options.ts';
import type { MapFacts } from '../map/map-facts.ts';
import { isObjectName } from '../tasks/done-task.ts';
import { folderStore, openFolderStore } from './folder-store.ts';
import { isS3Location, openS3Store } from './s3-store.ts';
import type { Store } from './store.ts';

/**
 * Refuses a folder of shards below a folder of recordings: other shards would read them as recordings.
 *
 * @throws UsageError
 */
export async function refuseReadFolder(
  location: string,
  option: string,
  read: ReadPlaces,
): Promise<void> {
  if (!isS3Location(location)) await refuseInside(location, option, read);
}

/**
 * Refuses an output path that belongs to a record or an output of a task, or to their folder.
 *
 * @throws UsageError
 */
export async function refuseStoredObject(location: string, output: string): Promise<void> {
  if (isS3Location(location)) return;
  const place = await placeOf(output);
  const folder = await placeOf(location);
  const isObject = dirname(place) === folder && isObjectName(basename(place));
  if (!isObject && place !== folder) return;
  throw wrongUse(
    `-o ${output}`,
    'a file that is not part of the corpus',
    isObject ? `one that the tasks in ${location} write and read` : 'the folder of its shards',
    'write another file',
  );
}

/**
 * Returns what the shards of a corpus read, as paths for this process.
 *
 * @param shard - the record of any shard.
 * @param seededBy - the runs that the user already has, as the plan names them.
 */
export function readPlacesOf(
  store: Store,
  { words, folder }: Pick<MapFacts, 'words' | 'folder'>,
  seededBy: string | null,
): ReadPlaces {
  const { files, flags } = parseReading(words);
  const placeOf = (path: string): string => resolve(folderOfStore(store, folder), path);
  const placeOfNamed = (path: string | null | undefined): string | undefined =>
    typeof path === 'string' ? placeOf(path) : undefined;
  return {
    files: files.map(placeOf),
    labels: placeOfNamed(flags.labels),
    seededBy: placeOfNamed(seededBy),
    outcomeModel: placeOfNamed(flags.outcomeModel),
    map: placeOfNamed(flags.map),
    importer: flags.importer?.map(placeOf),
    exclude: flags.exclude,
  };
}

/** Opens a store, which may be empty: a folder, which is created, or `s3://bucket/prefix`. */
export function openStore(location: string): Promise<Store> {
  return isS3Location(location) ? openS3Store(location) : openFolderStore(location);
}

/** @throws UsageError if there is no such folder. */
export async function openExistingStore(location: string): Promise<Store> {
  if (isS3Location(location)) return openS3Store(location);
  if (await isFolder(location)) return folderStore(location);
  const received = existsSync(location) ? 'a file' : 'a path that does not exist';
  throw wrongUse(location, 'the folder of kp corpus map -o', received);
}

/** Returns the folder to which a path of {@link pathFromStore} leads. */
export function folderOfStore(store: Store, folder: string): string {
  return resolve(realLocation(store), folder);
}

/**
 * Returns the path of this process's folder from a store, or the whole path for a store on a server. The path does
 * not depend on links that lead to the store.
 */
export function pathFromStore(store: Store): string {
  if (isS3Location(store.location)) return process.cwd();
  return pathBetween(realLocation(store), process.cwd());
}

function realLocation({ location }: Store): string {
  return isS3Location(location) ? location : realpathSync(location);
}
