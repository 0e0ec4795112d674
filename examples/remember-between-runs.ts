// How does the memory survive the end of a process? Save it, and load it in the next process.
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLexicalEmbedder, createScorer, parseTrace, VectorCache } from '@knowledgepulse/sdk';

const folder = await mkdtemp(join(tmpdir(), 'kp-memory-'));
const memoryFile = join(folder, 'memory.kpvc');
const trace = parseTrace(
  await Bun.file(new URL('traces/single-trace.json', import.meta.url)).json(),
);

const embedder = createLexicalEmbedder();
const { dimensions, id: embedderId } = embedder;

const firstDay = new VectorCache({ dimensions, embedderId, maxElements: 10_000 });
const before = await createScorer({ embedder, memory: firstDay }).evaluate(trace);
console.log(before.score.toFixed(3), before.novelty.source);

// Write a new file and rename it, so that a crash leaves either the old file or the new one.
await Bun.write(`${memoryFile}.new`, firstDay.toBytes());
await rename(`${memoryFile}.new`, memoryFile);

const secondDay = VectorCache.fromBytes(await Bun.file(memoryFile).bytes());
const after = await createScorer({ embedder, memory: secondDay }).evaluate(trace);
console.log(after.score.toFixed(3), `like ${after.novelty.nearest?.key}`);

await rm(folder, { recursive: true });

// Prints:
// 0.926 empty_memory
// 0.776 like kp:trace:code-pagination-last-page
