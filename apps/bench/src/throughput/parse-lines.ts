import { readFileSync } from 'node:fs';
import { reportUsage } from './usage.ts';

const [, , file = ''] = process.argv;
let runs = 0;
for (const line of readFileSync(file, 'utf8').split('\n')) {
  if (line === '') continue;
  JSON.parse(line);
  runs++;
}
reportUsage(runs);
