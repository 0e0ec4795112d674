import { openMemoryStore } from '../src/open-memory.ts';

/** Drops a namespace while the limit of its shell keeps files from growing; prints the error. */
process.on('SIGXFSZ', () => undefined);
const store = await openMemoryStore(process.argv[2] ?? '');
try {
  console.log(await store.drop('default'));
} catch (error) {
  console.log(Reflect.get(error as Error, 'code'), (error as Error).message);
}
await store.close();
