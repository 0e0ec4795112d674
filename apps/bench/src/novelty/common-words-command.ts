import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { traceText } from '@knowledgepulse/sdk';
import { importTraces } from '@kp/importers';
import { defineCommand, UsageError } from '../command/define-command.ts';
import { filesOfCorpus } from '../curation/corpus-files.ts';
import { columnsOf } from '../results/tables.ts';
import { commonWordModule, commonWords } from './common-words.ts';

const MOST_SHOWN = 20;

export const command = defineCommand({
  description:
    'Counts the runs of each corpus that contain a word, and builds the table of common words of the lexical embedder. A corpus is NAME=PATH,PATH…: recordings, or folders.',
  operands: 'CORPORA…',
  options: {
    output: { type: 'string', about: 'write the module with the table to a file' },
  },
  async run(operands, { output }) {
    if (operands.length === 0) throw new UsageError('operands', 'at least one corpus', 'none');
    const corpora: string[][] = [];
    for (const operand of operands) corpora.push(await textsOf(operand));
    const words = commonWords(corpora);
    if (output !== undefined) await writeFile(output, commonWordModule(words));
    const rows = words
      .slice(0, MOST_SHOWN)
      .map(([word, thousandths]) => [word, (thousandths / 1000).toFixed(3)]);
    return {
      parts: [
        `${words.length} words of ${corpora.map(({ length }) => length).join(' + ')} runs`,
        { columns: columnsOf(['word', 'factor']), rows },
      ],
      document: { words },
    };
  },
});

async function textsOf(corpus: string): Promise<string[]> {
  const texts: string[] = [];
  for (const { path } of await filesOfCorpus(corpus)) {
    for await (const item of importTraces(createReadStream(path), { assumeSuccess: true })) {
      if (item.kind === 'trace') texts.push(traceText(item.trace));
    }
  }
  if (texts.length > 0) return texts;
  throw new UsageError(corpus, 'recordings', 'none');
}
