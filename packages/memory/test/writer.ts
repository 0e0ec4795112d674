import { openMemory } from '../src/open-memory.ts';
import { vectorOf } from './replay.ts';

/**
 * A writer that can be killed: remembers traces until it is, and prints the key of each when its
 * answer is there. Words: location, namespace, a name for its keys, how many different vectors.
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
  // By turns one and several: an engine may append one in another way.
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
