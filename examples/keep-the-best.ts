// Which traces of a recording are worth keeping? Reads a stream and prints the good traces. A line
// that is not a trace is reported and does not affect the others.
import { createLexicalEmbedder, createScorer } from '@knowledgepulse/sdk';
import { importTraces } from '@kp/importers';

const THRESHOLD = 0.8;
const scorer = createScorer({ embedder: createLexicalEmbedder() });

async function* traces(name: string) {
  const bytes = Bun.file(new URL(name, import.meta.url)).stream();
  for await (const item of importTraces(bytes, { assumeSuccess: false })) {
    if (item.kind === 'trace') yield item.trace;
    else if (item.kind === 'error') console.log(`${name}, ${item.error.message}`);
  }
}

let seen = 0;
for await (const report of scorer.evaluateAll(traces('traces/code.jsonl'))) {
  seen++;
  if (report.score >= THRESHOLD) console.log(report.score.toFixed(3), report.traceId);
}
console.log(`out of ${seen}`);

// Prints:
// 0.824 kp:trace:code-flaky-due-date-test
// 0.865 kp:trace:code-null-amount-invoice-parser
// 0.951 kp:trace:code-plugin-linker-errors
// 0.930 kp:trace:code-docker-image-slim-zh
// 0.996 kp:trace:code-node-22-migration
// 0.852 kp:trace:code-checkout-502-many-tools
// out of 10
