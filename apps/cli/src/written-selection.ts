import { createHash } from 'node:crypto';
import type { ColumnSource } from 'hyparquet-writer';
import type { Choice } from './choose-runs.ts';
import type { CorpusRun } from './corpus.ts';
import type { Spill, SpilledText } from './spill.ts';
import { lacksToolSchemas, type TrainingFormat } from './training-formats.ts';

/** Takes a selection as it is written, piece by piece. */
export interface SelectionSink {
  write(chunk: string | Uint8Array): Promise<void>;
}

export interface WrittenSelection {
  readonly sha256: string;
  /** How many of the runs call tools of which the recording has no schemas. */
  readonly withoutTools: number;
}

/** Writes the chosen runs, best first. */
export async function writeSelection(
  choice: Choice,
  format: TrainingFormat,
  spill: Spill,
  sink: SelectionSink,
): Promise<WrittenSelection> {
  const hash = createHash('sha256');
  const write = async (chunk: string | Uint8Array): Promise<void> => {
    hash.update(chunk);
    await sink.write(chunk);
  };
  const isChat = format !== 'native' && format !== 'kp';
  let withoutTools = 0;
  const lines: string[] = [];
  for (const run of choice.selection.ranking) {
    const { kept } = choice.corpus.runs[run] as CorpusRun;
    const line = await spill.read(kept as SpilledText);
    if (isChat && lacksToolSchemas(line)) withoutTools++;
    if (format === 'parquet') lines.push(line);
    else await write(`${line}\n`);
  }
  if (format === 'parquet') await write(await toParquet(choice, lines));
  return { sha256: hash.digest('hex'), withoutTools };
}

async function toParquet(choice: Choice, lines: readonly string[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const { corpus, selection } = choice;
  const runs = selection.ranking.map((run) => corpus.runs[run] as CorpusRun);
  const chats = lines.map((line) => JSON.parse(line) as { messages: unknown; tools?: unknown });
  const columnData: ColumnSource[] = [
    { name: 'id', data: runs.map(({ fields }) => fields.trace), type: 'STRING', nullable: false },
    { name: 'rank', data: runs.map((_, index) => index + 1), type: 'INT32', nullable: false },
    { name: 'gain', data: [...selection.gains], type: 'DOUBLE', nullable: false },
    {
      name: 'score',
      data: selection.ranking.map((run) => corpus.reports[run]?.score),
      type: 'DOUBLE',
    },
    { name: 'success', data: runs.map(({ fields }) => fields.success), type: 'BOOLEAN' },
    { name: 'task', data: runs.map(({ fields }) => fields.task), type: 'STRING' },
    { name: 'model', data: runs.map(({ fields }) => fields.model), type: 'STRING' },
    {
      name: 'messages',
      data: chats.map(({ messages }) => JSON.stringify(messages)),
      type: 'STRING',
    },
    {
      name: 'tools',
      data: chats.map(({ tools }) => (tools === undefined ? null : JSON.stringify(tools))),
      type: 'STRING',
    },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
