import {
  createLexicalEmbedder,
  createTaskEmbedder,
  type Embedder,
  prepareTrace,
} from '@knowledgepulse/sdk';
import { type BlockLine, createOwnLineReader, type OwnLine } from '@kp/importers';
import { TextBuffer } from '../output/text-buffer.ts';
import type {
  BlockAnswer,
  BlockRequest,
  DescribedRun,
  WorkerEmbedder,
  WorkerSettings,
} from '../runs/prepared-block.ts';
import { fieldsOf } from '../runs/run-fields.ts';
import { runText } from '../runs/run-text.ts';

/** Creates the function that a worker applies to each block. */
export function createBlockPreparation({
  options,
  embedder: kind,
}: WorkerSettings): (request: BlockRequest) => Promise<BlockAnswer> {
  const embedder = embedderOf(kind);
  const readLines = createOwnLineReader(options);
  const texts = new TextBuffer();
  return async (request) => {
    const runs: DescribedRun[] = [];
    const unread: BlockLine[] = [];
    const vectors: Float32Array[] = [];
    texts.clear();
    for (const line of readLines({ ...request, breaks: 0 })) {
      const prepared = await prepareRun(line, request.file, embedder);
      if (prepared === undefined) {
        unread.push({ line: line.line, start: line.start, end: line.end });
        continue;
      }
      const { vector, text, ...described } = prepared;
      if (vector !== undefined) vectors.push(vector);
      texts.add(text);
      runs.push({ ...described, textEnd: texts.length });
    }
    const { number } = request;
    const described = JSON.stringify({ runs, unread });
    return { number, described, texts: texts.copy(), vectors: joined(vectors) };
  };
}

function embedderOf(kind: WorkerEmbedder): Embedder | null {
  if (kind === 'none') return null;
  return kind === 'task' ? createTaskEmbedder() : createLexicalEmbedder();
}

/** Undefined if the line holds no valid trace, or the embedder fails: then the import reads the line. */
async function prepareRun(
  { line, start, end, trace, provenance, success }: OwnLine,
  file: string | undefined,
  embedder: Embedder | null,
) {
  if (trace === undefined || success === undefined) return undefined;
  const prepared = await prepareTrace(trace, embedder).catch(() => undefined);
  if (prepared === undefined) return undefined;
  const { embedding, ...data } = prepared;
  const { vector, ...rest } = embedding ?? {};
  const run = { trace, provenance, file: file ?? '', line, format: 'kp', record: null };
  const fields = fieldsOf(run);
  return {
    line: { line, start, end, success },
    trace: data,
    embedding: embedding === null ? null : (rest as DescribedRun['embedding']),
    outcome: {
      success: fields.success,
      successFrom: fields.successFrom,
      confidenceFrom: fields.confidenceFrom,
    },
    vector,
    text: runText(fields, provenance),
  };
}

function joined(vectors: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const length = vectors[0]?.length ?? 0;
  const all = new Float32Array(length * vectors.length);
  for (const [index, vector] of vectors.entries()) all.set(vector, index * length);
  return all;
}
