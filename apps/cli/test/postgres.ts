import { join } from 'node:path';
import { Client } from 'pg';

const withServers = join(import.meta.dir, '../../../packages/memory/test/with-servers.ts');

/** A database for one test, on some server. */
interface Database {
  readonly url: string;
  remove(): Promise<void>;
}

/** A Postgres database for one test, on a new server or on the one that KP_POSTGRES_URL names. */
export async function startPostgres(): Promise<Database> {
  const given = process.env.KP_POSTGRES_URL;
  return given === undefined ? startServer('KP_POSTGRES_URL') : newDatabase(given);
}

/** The same database through a PgBouncer in transaction mode. */
export function startPgBouncer(): Promise<Database> {
  return startServer('KP_PGBOUNCER_URL');
}

async function startServer(variable: string): Promise<Database> {
  // PgBouncer runs until its standard input is closed.
  const script = `echo "$${variable}"; cat`;
  const child = Bun.spawn([process.execPath, withServers, 'sh', '-c', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { value } = await child.stdout.getReader().read();
  return {
    url: new TextDecoder().decode(value).trim(),
    async remove() {
      await child.stdin.end();
      await child.exited;
    },
  };
}

async function newDatabase(given: string): Promise<Database> {
  const name = `kp_${crypto.randomUUID().replaceAll('-', '')}`;
  const run = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: given });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(given);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}
