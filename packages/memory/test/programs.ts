import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackedServers } from '@kp/testing/needs';
import { Glob } from 'bun';

/** The programs of the servers; undefined for those that are not installed. */
interface Programs {
  /** The folder of `initdb` and `postgres`. */
  readonly postgres: string | undefined;
  /** The same for a Postgres with pgvector 0.8 or later. */
  readonly pgvector: string | undefined;
  /** Version 1.21 or later, which supports prepared statements. */
  readonly pgbouncer: string | undefined;
  readonly redis: string | undefined;
  readonly valkey: string | undefined;
}

/** The servers on this machine. */
export const programs: Programs = {
  postgres: process.env.KP_POSTGRES_BIN ?? newestPostgres('/usr'),
  pgvector: process.env.KP_PGVECTOR_BIN ?? newestPostgres(`${unpackedServers}/usr`),
  pgbouncer: process.env.KP_PGBOUNCER_BIN ?? unpackedProgram('usr/sbin/pgbouncer'),
  redis: process.env.KP_REDIS_BIN ?? Bun.which('redis-server') ?? undefined,
  valkey: process.env.KP_VALKEY_BIN ?? unpackedProgram('usr/bin/valkey-server'),
};

function unpackedProgram(path: string): string | undefined {
  const program = unpackedServers && join(unpackedServers, path);
  return program !== undefined && existsSync(program) ? program : undefined;
}

function newestPostgres(folder: string): string | undefined {
  const all = `${folder}/lib/postgresql`;
  // A pattern throws if its folder is missing.
  if (!existsSync(all)) return undefined;
  const found = [...new Glob(`${all}/*/bin`).scanSync({ onlyFiles: false })];
  return found.sort((a, b) => versionOf(a) - versionOf(b)).at(-1);
}

function versionOf(path: string): number {
  return Number(path.match(/postgresql\/(\d+)/)?.[1] ?? 0);
}

/**
 * Returns the command line of a program of Postgres. If it was unpacked from another release of the
 * system, it needs the loader and the libraries of that release, which the wrapper of `initdb`
 * contains.
 */
export function postgresCommand(bin: string, program: string): string[] {
  const path = join(bin, program);
  if (!existsSync(join(bin, 'initdb.program')) || existsSync(`${path}.program`)) return [path];
  const wrapper = readFileSync(join(bin, 'initdb'), 'utf8');
  const [, loader = '', libraries = ''] = /exec "(.*?)" --library-path "(.*?)"/.exec(wrapper) ?? [];
  return [loader, '--library-path', libraries, path];
}
