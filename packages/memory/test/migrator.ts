import { migratePostgresMemory } from '../src/postgres/migrate-postgres-memory.ts';

/** A migration that can be killed; prints each of its steps. Arguments: URL, namespace, index. */
const [url = '', namespace, to] = process.argv.slice(2);
await migratePostgresMemory(url, {
  namespace,
  to: to === 'log' ? 'log' : 'hnsw',
  onProgress: (step, copied) => console.log(step, copied),
});
