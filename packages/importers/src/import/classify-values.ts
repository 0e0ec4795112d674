import { detectFormat } from '../detection/detect-format.ts';
import type { ImportProblem } from '../errors/errors.ts';
import { kpImporter } from '../formats/kp/kp.ts';
import { KP_FORMAT } from '../formats/kp/own-trace.ts';
import type { Importer } from '../importer/importer.ts';
import type { PreparedLine } from '../json-stream/line-blocks.ts';
import type { ImportOptions } from '../rules/import-options.ts';
import type { ImporterChoice } from './choose-importers.ts';
import type { InputFormats } from './input-formats.ts';
import type { Gathered, GatheredLines, GatheredValue } from './piece-groups.ts';
import { formatOf } from './prepared-trace.ts';

/** A value with its importer, or the reason why there is none. */
export interface Classified {
  readonly gathered: Gathered;
  readonly importer: Importer | ImportProblem;
}

/** Determines the importer of each value; see {@link createClassifier}. */
export type Classifier = (all: Iterable<Gathered>, formats?: InputFormats) => Iterable<Classified>;

/**
 * Creates a function that determines the importer of each value, or why there is none, and records it in the
 * formats of the input, if they are given.
 */
export function createClassifier(
  importers: ImporterChoice,
  { format: chosen }: ImportOptions,
): Classifier {
  function chooseImporter(gathered: GatheredValue | GatheredLines): Importer | ImportProblem {
    if ('item' in gathered) {
      const format = formatOf(gathered.item.prepared[0] as PreparedLine);
      return importers.all.find(({ name }) => name === format) ?? kpImporter;
    }
    const { line, value } = gathered;
    // If the format is chosen by name, let validation explain values that hardly look like a trace.
    if (chosen === KP_FORMAT || importers.isOwnTrace(value)) return kpImporter;
    const isOwn = importers.own.some((importer) => importer.detect(value) !== undefined);
    return detectFormat(value, isOwn ? importers.own : importers.all, line);
  }

  return function* (all, formats) {
    for (const gathered of all) {
      const importer = 'error' in gathered ? gathered.error : chooseImporter(gathered);
      const refusal = formats?.check(importer, gathered);
      if (refusal === undefined || !('item' in gathered)) {
        yield { gathered, importer: refusal ?? importer };
        continue;
      }
      for (const { line } of gathered.item.prepared) {
        const error = formats?.check(importer, { ...gathered, line }) ?? refusal;
        yield { gathered: { file: gathered.file, line, value: null, pieces: [] }, importer: error };
      }
    }
  };
}
