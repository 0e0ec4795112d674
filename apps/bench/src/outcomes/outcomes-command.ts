import { signed } from '@kp/foundation';
import { mean } from 'simple-statistics';
import { defineCommand, integer, UsageError } from '../command/define-command.ts';
import { corpusName } from '../inputs/recorded-runs.ts';
import { columnsOf, formatDecimal, type TextTable } from '../results/tables.ts';
import { readFailedRuns } from './failed-runs.ts';
import {
  acceptedPermuted,
  agreementRow,
  fitCorpus,
  intervalOf,
  labelRow,
  signalAreas,
  transferArea,
} from './measure-outcomes.ts';
import { type WeightResult, weightRow } from './measure-weights.ts';
import { type OutcomeCorpus, readOutcomeCorpus } from './outcome-corpus.ts';
import { type TwinRow, twinRow } from './twins.ts';
import { hitRates } from './wrong-steps.ts';

export const command = defineCommand({
  description:
    'Measures, on labelled corpora, methods for runs without an outcome: signals without labels, agreement, models of labels, fits to permuted outcomes, models of other corpora, chosen labels, weights of a selection, a fourth view of tasks. A corpus is NAME=PATH,PATH…: recordings with tasks and verdicts.',
  operands: 'CORPORA…',
  options: {
    permutations: {
      type: 'string',
      default: '20',
      about: 'number of fits to permuted outcomes per corpus',
    },
    failures: {
      type: 'string',
      about: 'collections with an annotated failing step, separated by semicolons',
    },
    solved: { type: 'string', about: 'recordings of the same tasks, to compare failures with' },
  },
  async run(operands, { permutations, failures, solved }) {
    const collections = failures?.split(';') ?? [];
    if (operands.length + collections.length === 0) {
      throw new UsageError('CORPORA', 'at least one corpus', 'none');
    }
    const count = integer('--permutations', permutations, 0);
    const corpora: OutcomeCorpus[] = [];
    for (const operand of operands) corpora.push(await readOutcomeCorpus(operand));
    const parts = corpora.length === 0 ? [] : await corpusTables(corpora, count);
    for (const collection of collections) parts.push(await stepTable(collection, solved));
    return { parts, document: { parts } };
  },
});

async function corpusTables(
  corpora: readonly OutcomeCorpus[],
  permutations: number,
): Promise<TextTable[]> {
  return [
    signalsTable(corpora),
    agreementTable(corpora),
    await fitTable(corpora, permutations),
    await transferTable(corpora),
    await labelTable(corpora),
    await weightTable(corpora),
    await twinTable(corpora),
  ];
}

function signalsTable(corpora: readonly OutcomeCorpus[]): TextTable {
  const rows = corpora.map((corpus) => ({ corpus, ...signalAreas(corpus) }));
  const names = ['complexity', 'score', 'fewerSteps'] as const;
  return {
    columns: columnsOf(['AUC for success, no labels', 'complexity', 'score', 'fewer steps']),
    rows: [
      ...rows.map((row) => [nameOf(row.corpus), ...names.map((name) => formatDecimal(row[name]))]),
      ['mean over corpora', ...names.map((name) => meanText(rows.map((row) => row[name])))],
    ],
  };
}

function agreementTable(corpora: readonly OutcomeCorpus[]): TextTable {
  const rows = corpora.map((corpus) => [corpus, agreementRow(corpus)] as const);
  const found = rows.flatMap(([, row]) => row ?? []);
  return {
    columns: columnsOf(['agreement', 'runs compared', 'base rate', 'AUC in tasks', 'gain']),
    rows: [
      ...rows.map(([corpus, row]) => [
        nameOf(corpus),
        ...(row === undefined
          ? ['refused', '', '', '']
          : [
              `${row.runs}`,
              formatDecimal(row.baseRate),
              formatDecimal(row.area),
              gainText(row.gain),
            ]),
      ]),
      [
        'mean over corpora',
        '',
        '',
        meanText(found.map(({ area }) => area)),
        meanText(found.map(({ gain }) => gain)),
      ],
    ],
  };
}

async function fitTable(
  corpora: readonly OutcomeCorpus[],
  permutations: number,
): Promise<TextTable> {
  const rows: string[][] = [];
  const areas: number[] = [];
  for (const corpus of corpora) {
    const plain = await fitCorpus(corpus, false);
    const full = await fitCorpus(corpus, true);
    areas.push(plain.auc);
    rows.push([
      nameOf(corpus),
      `${formatDecimal(plain.auc)} (${formatDecimal(plain.aucLow)} to ${formatDecimal(plain.aucHigh)})`,
      `${formatDecimal(plain.brier, 3)} (${formatDecimal(plain.brierBase, 3)})`,
      formatDecimal(plain.calibrationError),
      plain.accepted ? 'yes' : 'no',
      corpus.runs.some(({ agreement }) => agreement !== undefined)
        ? `${formatDecimal(full.auc)} (${formatDecimal(full.aucLow)} to ${formatDecimal(full.aucHigh)}), ${full.accepted ? 'yes' : 'no'}`
        : '',
      permutations === 0
        ? ''
        : `${await acceptedPermuted(corpus, permutations)} of ${permutations}`,
    ]);
  }
  rows.push(['mean over corpora', meanText(areas), '', '', '', '', '']);
  return {
    columns: columnsOf([
      'model of your labels',
      'AUC on held-out tasks',
      'Brier (base rate)',
      'calibration error',
      'accepted',
      'with agreement',
      'accepted when permuted',
    ]),
    rows,
  };
}

async function transferTable(corpora: readonly OutcomeCorpus[]): Promise<TextTable> {
  const rows: string[][] = [];
  const all: number[] = [];
  for (const from of corpora) {
    const areas: number[] = [];
    for (const to of corpora) {
      const area = to === from ? undefined : await transferArea(from, to);
      if (area !== undefined) areas.push(area);
    }
    if (areas.length === 0) continue;
    all.push(...areas);
    const least = Math.min(...areas);
    rows.push([nameOf(from), `${areas.length}`, formatDecimal(mean(areas)), formatDecimal(least)]);
  }
  rows.push(['mean over pairs', `${all.length}`, all.length === 0 ? '–' : meanText(all), '']);
  return {
    columns: columnsOf(['accepted model applied elsewhere', 'corpora', 'mean AUC', 'worst']),
    rows,
  };
}

const LABELS = [20, 40];

async function labelTable(corpora: readonly OutcomeCorpus[]): Promise<TextTable> {
  const rows: string[][] = [];
  const gains: number[][] = LABELS.map(() => []);
  for (const corpus of corpora) {
    const cells: string[] = [];
    for (const [at, labels] of LABELS.entries()) {
      const { chosen, random } = await labelRow(corpus, labels);
      gains[at]?.push(chosen - random);
      cells.push(formatDecimal(chosen), formatDecimal(random));
    }
    rows.push([nameOf(corpus), ...cells]);
  }
  rows.push(['gain, mean over corpora', ...gains.flatMap((values) => [meanText(values), ''])]);
  const heads = LABELS.flatMap((labels) => [`${labels} labels of kp label`, `${labels} at random`]);
  return { columns: columnsOf(['AUC on other tasks after', ...heads]), rows };
}

async function weightTable(corpora: readonly OutcomeCorpus[]): Promise<TextTable> {
  const names = ['none', 'score', 'agreement', 'estimate'] as const;
  const rows: string[][] = [];
  const results: (readonly (WeightResult | undefined)[])[] = [];
  const text = (result: WeightResult | undefined): string =>
    result === undefined
      ? '–'
      : `${formatDecimal(result.succeeded)} / ${formatDecimal(result.solved)}`;
  for (const corpus of corpora) {
    const row = await weightRow(corpus);
    const own = names.map((name) => row[name]);
    results.push(own);
    rows.push([nameOf(corpus), ...own.map(text)]);
  }
  const gains = names.map((_, at) => {
    const found = results.flatMap((own) => {
      const [plain, result] = [own[0], own[at]];
      return plain && result ? [result.succeeded - plain.succeeded] : [];
    });
    return at === 0 || found.length === 0 ? '' : meanText(found);
  });
  rows.push(['successes, compared with no weight', ...gains]);
  return { columns: columnsOf(['successes / solved tasks, weighed by', ...names]), rows };
}

async function twinTable(corpora: readonly OutcomeCorpus[]): Promise<TextTable> {
  const names = ['today', 'calls', 'changes'] as const;
  const measures = ['nearest', 'covered'] as const;
  const rows: TwinRow[] = [];
  for (const corpus of corpora) rows.push(await twinRow(corpus));
  const columns = measures.flatMap((measure) => names.map((name) => ({ measure, name })));
  const change = columns.map(({ measure, name }) =>
    name === 'today' ? '' : meanText(rows.map((row) => row[name][measure] - row.today[measure])),
  );
  return {
    columns: columnsOf([
      'same task: nearest run / covered by picks',
      ...columns.map(({ measure, name }) => `${measure}, ${name}`),
    ]),
    rows: [
      ...corpora.map((corpus, at) => [
        nameOf(corpus),
        ...columns.map(({ measure, name }) =>
          formatDecimal(rows[at]?.[name][measure] ?? Number.NaN, 3),
        ),
      ]),
      ['change against three views', ...change],
    ],
  };
}

async function stepTable(collection: string, solved: string | undefined): Promise<TextTable> {
  const runs = await readFailedRuns(collection, solved);
  const rows = hitRates(runs).map(
    ({ method, guessed, first, firstThree, interval: [low, high] }) => [
      method,
      `${guessed}`,
      formatDecimal(first),
      low === high
        ? formatDecimal(firstThree)
        : `${formatDecimal(firstThree)} (${formatDecimal(low)} to ${formatDecimal(high)})`,
    ],
  );
  const heading = `failing step, ${corpusName(collection)} (${runs.length})`;
  return { columns: columnsOf([heading, 'runs with a guess', 'top 1', 'top 3']), rows };
}

function nameOf({ name, runs, agents }: OutcomeCorpus): string {
  const tasks = new Set(runs.map(({ task }) => task)).size;
  return `${name} (${runs.length}, ${tasks}, ${agents})`;
}

/** Adds the middle 95 % of bootstrap samples of the corpora. */
function meanText(values: readonly number[]): string {
  const known = values.filter((value) => !Number.isNaN(value));
  if (known.length === 0) return '–';
  const [low, high] = intervalOf(known);
  return `${formatDecimal(mean([...known]))} (${formatDecimal(low)} to ${formatDecimal(high)})`;
}

function gainText(gain: number): string {
  return Number.isNaN(gain) ? '–' : signed(gain, 3);
}
