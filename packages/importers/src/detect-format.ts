import { describeProblem, type ImportProblem } from './errors.ts';
import type { Importer } from './importer.ts';
import { describeJson, type JsonValue } from './json/json-value.ts';
import type { JsonItem } from './json/line-reader.ts';

/**
 * Finds the one importer for a value by its content. A distinct fit goes before a possible one.
 *
 * @returns a problem when none fits, or when several fit equally well.
 */
export function detectFormat(
  value: JsonValue,
  importers: readonly Importer[],
  line: number,
): Importer | ImportProblem {
  const fits = importers.flatMap((importer) => {
    const detection = importer.detect(value);
    return detection === undefined ? [] : [{ importer, detection }];
  });
  const distinct = fits.filter(({ detection }) => detection.fit === 'distinct');
  const best = distinct.length > 0 ? distinct : fits;
  const [first] = best;
  if (first === undefined) {
    const names = importers.map(({ name }) => name).join(', ');
    const expected =
      importers.length === 1
        ? `a recording of the format ${names}`
        : `a recording in one of the formats ${names}`;
    return describeProblem('UNKNOWN_FORMAT', { line }, expected, describeJson(value));
  }
  if (best.length === 1) return first.importer;
  const seen = best.map(({ importer, detection }) => `${importer.name} (${detection.seen})`);
  const received = `one that fits ${seen.join(' and ')}`;
  const remark = 'name the format to choose';
  return describeProblem(
    'AMBIGUOUS_FORMAT',
    { line },
    'a recording in one format',
    received,
    remark,
  );
}

/** A value to be imported: found whole, or put together from its pieces. */
export interface GatheredValue {
  readonly line: number;
  readonly value: JsonValue;
}

/** Puts the pieces of runs together; see {@link createPieceGroups}. */
export interface PieceGroups {
  add(item: Extract<JsonItem, { value: JsonValue }>): Iterable<GatheredValue>;
  end(): Iterable<GatheredValue>;
}

/**
 * Gathers values that are only pieces of a run into arrays. Pieces in a top-level array belong
 * together up to its end, pieces that each stand at the top (one a line) up to the end of the
 * input. Whole values pass straight through.
 */
export function createPieceGroups(importers: readonly Importer[]): PieceGroups {
  const groups = new Map<string, { line: number; value: JsonValue[] }>();
  let arrayDocument: number | undefined;

  function* flush(): Iterable<GatheredValue> {
    yield* groups.values();
    groups.clear();
  }

  function* addOne(
    line: number,
    value: JsonValue,
    document: number | undefined,
  ): Iterable<GatheredValue> {
    if (document !== arrayDocument) yield* flush();
    arrayDocument = document;
    const name = nameGroup(value, importers);
    const group = name === undefined ? undefined : groups.get(name);
    if (name === undefined) yield { line, value };
    else if (group === undefined) groups.set(name, { line, value: [value] });
    else group.value.push(value);
  }

  return {
    *add(item) {
      const { line, value } = item;
      const name = nameGroup(value, importers);
      // An array in a line of its own is a document like any other.
      const isDocument = name === undefined && item.index === undefined && Array.isArray(value);
      if (isDocument) yield* flush();
      for (const element of isDocument ? value : [value]) {
        yield* addOne(
          line,
          element,
          isDocument || item.index !== undefined ? item.document : undefined,
        );
      }
    },
    end: flush,
  };
}

function nameGroup(value: JsonValue, importers: readonly Importer[]): string | undefined {
  for (const importer of importers) {
    const name = importer.pieceOf?.(value);
    if (name !== undefined) return name;
  }
  return undefined;
}
