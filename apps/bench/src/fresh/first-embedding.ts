import { financeTrace } from '../inputs/traces.ts';

// Prints the milliseconds of the first call of the transformers embedder, including library import,
// model loading and embedding of the finance example.
const { createTransformersEmbedder, traceText } = await import('@knowledgepulse/sdk');
const [path] = process.argv.slice(2);
const embedder = createTransformersEmbedder(
  path === undefined ? {} : { localModelPath: path, sha256: {} },
);
const startedAt = performance.now();
await embedder.embed([traceText(financeTrace)]);
console.log(performance.now() - startedAt);
await embedder.close();
