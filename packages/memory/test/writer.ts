import { openMemory } from '../src/open-memory.ts';
import { vectorOf } from './replay.ts';

/**
 * A writer that tests kill. It remembers traces until then, and prints each key after its answer.
 * Arguments: location, namespace, prefix of its keys, number of different vectors.
 */
const [location = '', namespace = '', name = '', different = '1'] = process.argv.slice(2);
const memory = await openMemory(location, {
  namespace,
  embedder: { id: 'test/8', dimensions: 8 },
  timeoutMs: 20_000,
});
console.log('ready');
let written = 0;
for (;;) {
  // Alternates between one and several entries, because an engine may append a single one in
  // another way.
  const entries = Array.from({ length: written % 5 === 0 ? 4 : 1 }, () => ({
    vector: vectorOf(Math.floor(Math.random() * Number(different))),
    key: `${name}/${written++}`,
    operationId: crypto.randomUUID(),
  }));
  const answers = await memory.compareAndRemember(entries);
  for (const [k, answer] of answers.entries()) {
    console.log(JSON.stringify({ key: entries[k]?.key, ...answer }));
  }
}
