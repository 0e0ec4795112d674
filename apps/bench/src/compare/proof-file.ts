import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Judgement } from './verdict.ts';

const OutcomeSchema = z.object({
  change: z.enum(['worse', 'better', 'unchanged', 'undecided']),
  ratio: z.number().positive(),
  pairs: z.int().positive(),
});

const RowOutcomeSchema = z.object({
  id: z.string(),
  unchanged: OutcomeSchema,
  slowed: OutcomeSchema,
});

const ProofFileSchema = z.object({
  version: z.literal(1),
  code: z.string(),
  comparisons: z.array(z.array(RowOutcomeSchema)),
});

/** What one comparison of a revision with itself said of a row as it is, and made slower. */
export interface RowOutcome {
  readonly id: string;
  readonly unchanged: Pick<Judgement, 'change' | 'ratio' | 'pairs'>;
  readonly slowed: Pick<Judgement, 'change' | 'ratio' | 'pairs'>;
}

/** A file that is not the kept outcomes of this program. */
export class ProofFileError extends Error {
  override readonly name = 'ProofFileError';
  readonly code = 'PROOF_FILE_UNUSABLE';
}

/**
 * The comparisons kept in a file; none when there is no such file.
 *
 * @param code - see {@link measuringCode}.
 * @throws {@link ProofFileError} for a file that is damaged, or of other code or another machine:
 *   what was proven with those says nothing of these.
 */
export async function readKept(
  file: string,
  code: string = measuringCode(),
): Promise<RowOutcome[][]> {
  if (!existsSync(file)) return [];
  const refused = (expected: string, received: string): ProofFileError =>
    new ProofFileError(`${file}: expected ${expected}, received ${received}; name another file`);
  const text = await readFile(file, 'utf8');
  let kept: z.infer<typeof ProofFileSchema>;
  try {
    kept = ProofFileSchema.parse(JSON.parse(text));
  } catch (cause) {
    const error = refused('comparisons kept by bench compare --prove', 'something else');
    throw Object.assign(error, { cause });
  }
  if (kept.code !== code)
    throw refused(`comparisons by this code (${code}), on this machine`, kept.code);
  return kept.comparisons;
}

/** Replaces the file as a whole, so that one that is interrupted leaves the one before. */
export async function writeKept(
  file: string,
  comparisons: readonly (readonly RowOutcome[])[],
  code: string = measuringCode(),
): Promise<void> {
  const text = JSON.stringify({ version: 1, code, comparisons });
  await writeFile(`${file}.part`, `${text}\n`);
  await rename(`${file}.part`, file);
}

const SOURCES = ['compare', 'enforced', 'fresh', 'inputs', 'measurement'];
const SAYS_NOTHING_OF_VERDICTS = ['proof-file.ts', 'prove.ts', 'report.ts', 'revision.ts'];

/** Stands for all that decides what a comparison says: rows, settings, timing, verdicts, and the machine. */
function measuringCode(): string {
  const hash = createHash('sha256').update(`${process.versions.bun} ${cpus()[0]?.model}\n`);
  // Without types and comments, which decide nothing.
  const program = new Bun.Transpiler({ loader: 'ts' });
  for (const folder of SOURCES) {
    const place = fileURLToPath(new URL(`../${folder}/`, import.meta.url));
    for (const name of readdirSync(place).sort()) {
      if (name.includes('.test.') || SAYS_NOTHING_OF_VERDICTS.includes(name)) continue;
      hash.update(`${folder}/${name}\n`);
      hash.update(program.transformSync(readFileSync(join(place, name), 'utf8')));
    }
  }
  return hash.digest('hex').slice(0, 12);
}
