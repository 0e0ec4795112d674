import { programs } from './programs.ts';
import { startPostgres, startRedis } from './servers.ts';

/**
 * Runs a command with a Postgres and a Redis of its own, as far as they are on this machine, the
 * Postgres with pgvector if there is one:
 * `bun packages/memory/test/with-servers.ts bun run bench memory`.
 */
const { pgvector, postgres: stock } = programs;
const bin = pgvector ?? stock;
const postgres = bin === undefined ? undefined : await startPostgres(['fsync=on'], bin);
const redis = programs.redis === undefined ? undefined : await startRedis();
const child = Bun.spawn(process.argv.slice(2), {
  stdio: ['inherit', 'inherit', 'inherit'],
  env: { ...process.env, KP_POSTGRES_URL: postgres?.url, KP_REDIS_URL: redis?.url },
});
process.exitCode = await child.exited;
await Promise.all([postgres?.remove(), redis?.remove()]);
