import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackedServers } from '@kp/testing/needs';
import { Glob } from 'bun';

/** Programs of servers; undefined where there are none. */
interface Programs {
  /** Where `initdb` and `postgres` are. */
  readonly postgres: string | undefined;
  /** The same of a Postgres that has pgvector 0.8 or later. */
  readonly pgvector: string | undefined;
  /** 1.21 or later, which keeps prepared statements. */
  readonly pgbouncer: string | undefined;
  readonly redis: string | undefined;
  readonly valkey: string | undefined;
}

/** What of servers there is on this machine. */
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
  // A pattern below a folder that is not there throws.
  if (!existsSync(all)) return undefined;
  const found = [...new Glob(`${all}/*/bin`).scanSync({ onlyFiles: false })];
  return found.sort((a, b) => versionOf(a) - versionOf(b)).at(-1);
}

function versionOf(path: string): number {
  return Number(path.match(/postgresql\/(\d+)/)?.[1] ?? 0);
}

/**
 * Words that run a program of a Postgres. One that was unpacked for another release of the system
 * needs the loader and the libraries that it came with, as the wrapper of `initdb` names them.
 */
export function postgresCommand(bin: string, program: string): string[] {
  const path = join(bin, program);
  if (!existsSync(join(bin, 'initdb.program')) || existsSync(`${path}.program`)) return [path];
  const wrapper = readFileSync(join(bin, 'initdb'), 'utf8');
  const [, loader = '', libraries = ''] = /exec "(.*?)" --library-path "(.*?)"/.exec(wrapper) ?? [];
  return [loader, '--library-path', libraries, path];
}
