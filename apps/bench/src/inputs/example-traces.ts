import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseTrace, type ReasoningTrace } from '@knowledgepulse/sdk';

const folder = fileURLToPath(new URL('../../../../examples/traces/', import.meta.url));

/** The traces of the examples that are stored one a line, in the order of their files. */
export function readExampleTraces(): ReasoningTrace[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(`${folder}${name}`, 'utf8').trim().split('\n'))
    .map((line) => parseTrace(JSON.parse(line)));
}
