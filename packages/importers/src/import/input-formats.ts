import { describeProblem, type ImportProblem } from '../errors/errors.ts';
import type { Importer } from '../importer/importer.ts';
import type { Gathered } from './piece-groups.ts';

/** Which formats the parts of one input are recognised as; see {@link createInputFormats}. */
export interface InputFormats {
  /** How many lines or elements were noted. */
  readonly lines: number;
  /** Notes parts in a format. */
  note(importer: Importer, amount: number, line: number): void;
  /**
   * Notes what a value was recognised as.
   *
   * @returns why it should not be read, once the input is settled to be in another format.
   */
  check(found: Importer | ImportProblem, gathered: Gathered): ImportProblem | undefined;
  /**
   * Settles that the input is in one format.
   *
   * @returns why none of it should be read, if it is not.
   */
  settle(): ImportProblem | undefined;
}

/** More of the lines than this share belong to no format: the others may be misread. */
const MOST_FOREIGN = 0.1;
const REMEDY = 'check what wrote it; force reads what is recognised (kp: --force)';

/**
 * Watches what one input consists of. Parts in different formats, or many parts in none, mean that
 * the input is in a format that nobody knows, of which some lines look like another's.
 *
 * @param own - importers of the caller, whose recordings may stand beside any format.
 */
export function createInputFormats(own: readonly Importer[]): InputFormats {
  const families = new Map<string, { name: string; lines: number; line: number }>();
  let lines = 0;
  let foreign = 0;
  let firstForeign = 1;
  let settled: string | undefined;

  function note({ name, family = name }: Importer, amount: number, line: number): void {
    const known = families.get(family) ?? { name, lines: 0, line };
    known.lines += amount;
    families.set(family, known);
    lines += amount;
  }

  return {
    get lines() {
      return lines;
    },
    note,
    check(found, gathered) {
      const { line } = gathered;
      const amount = 'pieces' in gathered ? gathered.pieces.length || 1 : 1;
      if ('code' in found) {
        if (found.code !== 'UNKNOWN_FORMAT') return undefined;
        if (foreign === 0) firstForeign = line;
        foreign += amount;
        lines += amount;
      } else if (own.includes(found)) lines += amount;
      else if (settled === undefined || families.has(found.family ?? found.name)) {
        note(found, amount, line);
      } else {
        const received = `a part in the format ${found.name}`;
        return mixed(line, `an input in the format ${settled}`, received);
      }
      return undefined;
    },
    settle() {
      const [main, ...others] = [...families.values()].sort((a, b) => b.lines - a.lines);
      settled = main?.name;
      const isForeign = foreign > lines * MOST_FOREIGN;
      if (main === undefined || (others.length === 0 && !isForeign)) return undefined;
      const parts = [main, ...others].map(
        ({ name, lines: amount, line }) => `${amount} of ${name} (from line ${line})`,
      );
      if (foreign > 0) parts.push(`${foreign} of no format (from line ${firstForeign})`);
      const received = `${lines} lines or elements: ${parts.join(', ')}`;
      return mixed(others[0]?.line ?? firstForeign, 'an input in one format', received);
    },
  };
}

function mixed(line: number, expected: string, received: string): ImportProblem {
  return describeProblem('MIXED_FORMATS', { line }, expected, received, REMEDY);
}
