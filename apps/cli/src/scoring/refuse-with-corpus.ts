import { conflict, optionOf } from '../output/errors.ts';
import type { MemoryFlags } from './memory.ts';
import type { EmbedderFlags } from './scoring.ts';

/** @throws UsageError for an option that `--corpus` does not use, because it needs no embedder. */
export function refuseWithCorpus(flags: EmbedderFlags & MemoryFlags): void {
  const { embedder, memory } = flags;
  if (memory !== undefined) {
    throw conflict('--corpus', '--memory', 'the runs are compared with each other');
  }
  const names = ['model', 'dimensions', 'longText', 'memorySize', 'namespace'] as const;
  const useless = names.find((name) => flags[name] !== undefined);
  if (embedder === 'lexical' && useless === undefined) return;
  const other = embedder === 'lexical' ? optionOf(String(useless)) : `--embedder ${embedder}`;
  throw conflict('--corpus', other, 'the words of the corpus are compared');
}
