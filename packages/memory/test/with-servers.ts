import { hasPostgres, hasRedis, startPostgres, startRedis } from './servers.ts';

/**
 * Runs a command with a Postgres and a Redis of its own, as far as they are on this machine:
 * `bun packages/memory/test/with-servers.ts bun run bench memory`.
 */
const postgres = hasPostgres ? await startPostgres() : undefined;
const redis = hasRedis ? await startRedis() : undefined;
const child = Bun.spawn(process.argv.slice(2), {
  stdio: ['inherit', 'inherit', 'inherit'],
  env: { ...process.env, KP_POSTGRES_URL: postgres?.url, KP_REDIS_URL: redis?.url },
});
process.exitCode = await child.exited;
await Promise.all([postgres?.remove(), redis?.remove()]);
