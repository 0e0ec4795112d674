import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { ReasoningTrace } from '@knowledgepulse/sdk';
import { createDraws } from '../inputs/random.ts';

/** Share of the words of each step that are replaced. */
const REPLACED = 0.3;
const SEED = 7;

/**
 * Writes runs, one per line: examples with new ids, in which other words from the examples replace
 * some words. The output depends only on the examples.
 */
export async function writeRuns(
  file: string,
  runs: number,
  examples: readonly ReasoningTrace[],
): Promise<void> {
  const draw = createDraws(SEED);
  const words = examples.flatMap(({ steps }) =>
    steps.flatMap(({ content = '' }) => content.split(/\s+/).filter((word) => word !== '')),
  );
  const reworded = (text: string): string =>
    text
      .split(' ')
      .map((word) => (draw(1000) < REPLACED * 1000 ? words[draw(words.length)] : word))
      .join(' ');
  const stream = createWriteStream(file);
  for (let run = 0; run < runs; run++) {
    const example = examples[draw(examples.length)] as ReasoningTrace;
    const steps = example.steps.map((step) =>
      step.content === undefined ? step : { ...step, content: reworded(step.content) },
    );
    const line = JSON.stringify({ ...example, id: `kp:trace:made-${run}`, steps });
    if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}
