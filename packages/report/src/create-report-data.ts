import { wordsOf } from '@kp/foundation';
import { readProvenance, readStepSource } from '@kp/schema';
import { labelOf, type ScoreReport } from '@kp/scoring';
import { plainText } from './plain-text.ts';
import type {
  ReportComparison,
  ReportData,
  ReportMap,
  ReportNote,
  ReportPicks,
  ReportRun,
  StepStrip,
  Withheld,
} from './report-data.ts';

/** The fields of a trace that a page may show. */
export interface ReportTrace {
  /** Whether the run succeeded. */
  readonly metadata: { readonly success: boolean };
  /** What it was to do. */
  readonly task: { readonly objective: string };
  /** What it did, in order. */
  readonly steps: readonly ReportStep[];
  readonly [further: string]: unknown;
}

/** The fields of a step that a page may show. */
export interface ReportStep {
  /** `thought`, `tool_call`, `observation` or `error_recovery`. */
  readonly type: string;
  /** What was said or shown. */
  readonly content?: string;
  /** The tool that was called. */
  readonly tool?: { readonly name: string };
  readonly [further: string]: unknown;
}

/** A scored run, and what is known of it beside the trace. */
export interface ScoredRun {
  /** The score with its derivation. */
  readonly report: ScoreReport;
  /** Left out where only the score was kept. */
  readonly trace?: ReportTrace;
  /** The recording that it is from. */
  readonly file?: string;
  /** What the recording calls the task. */
  readonly task?: string;
  /** The model that it called. */
  readonly model?: string;
  /** Undefined when nothing says it. */
  readonly success?: boolean;
  /** `unknown` when left out. */
  readonly successSource?: string;
  /** Where the confidence of the outcome comes from; `unknown` when left out. */
  readonly confidenceSource?: string;
  /** What it was to do, where there is no trace. */
  readonly objective?: string;
  /** `keep`, `uncertain` or `redundant`, where thresholds were given. */
  readonly band?: string;
  /** Characters of texts that the trace had and has no more: they count as left out. */
  readonly removedCharacters?: number;
}

/** What the page is to show beside the runs. */
export interface ReportDataOptions {
  /** What stands above the page. */
  readonly title?: string;
  /** 0.5 when left out. */
  readonly threshold?: number;
  /** What a reader should know first, the gravest first. */
  readonly notes?: readonly ReportNote[];
  /** Which runs to read; left out, the page names none. */
  readonly picks?: ReportPicks;
  /** From {@link layOutRuns}; left out, the page has no map. */
  readonly map?: ReportMap;
  /** Two sets of runs on the same tasks; left out, the page has no such part. */
  readonly comparison?: ReportComparison;
  /** Show objectives and the contents of steps; false when left out. */
  readonly includeText?: boolean;
  /** Characters of texts shown of a run, its objective first; 20,000. */
  readonly charactersPerRun?: number;
  /** What is replaced by `[redacted]` in every text shown. */
  readonly redact?: readonly RegExp[];
}

const KINDS: Readonly<Record<string, string>> = {
  thought: 't',
  tool_call: 'c',
  observation: 'o',
  error_recovery: 'r',
};
// Characters of texts on the page, each and of one run together.
const MOST_OF_A_TEXT = 1000;
const CHARACTERS_PER_RUN = 20_000;

/**
 * What a page shows of scored runs. Texts of the runs are left out unless asked for, and then cut to
 * 1,000 characters each and 20,000 a run; what is left out is counted.
 *
 * @param runs - in the order of the page.
 */
export function createReportData(
  runs: Iterable<ScoredRun>,
  options: ReportDataOptions = {},
): ReportData {
  const tools = new Map<string, number>();
  const texts = createTextGate(options);
  const rows: ReportRun[] = [];
  const dimensions: string[] = [];
  for (const run of runs) {
    for (const name of Object.keys(run.report.dimensions)) {
      if (!dimensions.includes(name)) dimensions.push(name);
    }
    rows.push(rowOf(run, dimensions, tools, texts));
  }
  return {
    version: 1,
    title: plainText(options.title ?? 'Scored runs'),
    threshold: options.threshold ?? 0.5,
    dimensions: dimensions.map((name) => labelOf(name)),
    tools: [...tools.keys()],
    runs: rows,
    notes: (options.notes ?? []).map((note) => ({ ...note, text: plainText(note.text, 500) })),
    picks: options.picks,
    map: options.map,
    comparison: options.comparison,
    withheld: texts.withheld(),
  };
}

function rowOf(
  run: ScoredRun,
  dimensions: readonly string[],
  tools: Map<string, number>,
  texts: TextGate,
): ReportRun {
  const { report, trace } = run;
  const values: Readonly<Record<string, number>> = { ...report.dimensions };
  const weights: Readonly<Record<string, number>> = { ...report.weights };
  const { nearest } = report.novelty;
  const objective = run.objective ?? trace?.task.objective;
  texts.startRun(run.removedCharacters ?? 0);
  return {
    id: plainText(report.traceId),
    score: rounded(report.score),
    composite: rounded(report.composite),
    profile: plainText(report.profile),
    values: dimensions.map((name) => rounded(values[name] ?? 0)),
    weights: dimensions.map((name) => rounded(weights[name] ?? 0)),
    rules: report.overrides.map(({ rule, label = wordsOf(rule), before, after }) => [
      plainText(label),
      rounded(before),
      rounded(after),
    ]),
    noveltySource: report.novelty.source,
    nearest:
      nearest === undefined
        ? undefined
        : { id: plainText(nearest.key ?? ''), similarity: rounded(nearest.similarity) },
    success: run.success ?? null,
    successSource: run.successSource ?? 'unknown',
    file: shown(run.file),
    task: shown(run.task),
    model: shown(run.model),
    band: run.band,
    steps: stripOf(trace, tools),
    objective: objective === undefined ? undefined : texts.show(objective),
    texts: trace === undefined ? undefined : texts.showAll(trace.steps),
  };
}

function stripOf(trace: ReportTrace | undefined, tools: Map<string, number>): StepStrip {
  const steps = trace?.steps ?? [];
  const places = steps.map(({ tool }) => {
    if (tool === undefined) return -1;
    const name = plainText(tool.name, 80);
    const place = tools.get(name) ?? tools.size;
    tools.set(name, place);
    return place;
  });
  const where = (test: (step: ReportStep) => boolean): number[] =>
    steps.flatMap((step, index) => (test(step) ? index : []));
  return {
    kinds: steps.map(({ type }) => KINDS[type] ?? 'o').join(''),
    tools: places,
    errors: where((step) => readStepSource(step)?.error !== undefined),
    derived: derivedSteps(trace),
  };
}

/** Steps that the import made recoveries, by its record on the trace. */
function derivedSteps(trace: ReportTrace | undefined): number[] {
  const derived = (trace && readProvenance(trace)?.derived) ?? [];
  return derived.flatMap(({ field, step_id }) => (field === 'type' ? step_id : []));
}

/** Lets texts through, or counts what it keeps back. */
interface TextGate {
  startRun(removed: number): void;
  show(text: string): string | undefined;
  showAll(steps: readonly ReportStep[]): readonly string[] | undefined;
  withheld(): Withheld;
}

function createTextGate(options: ReportDataOptions): TextGate {
  const { includeText: open = false, charactersPerRun = CHARACTERS_PER_RUN } = options;
  const patterns = options.redact ?? [];
  let characters = 0;
  let redactions = 0;
  let left = 0;
  const show = (text: string): string | undefined => {
    if (!open) {
      characters += text.length;
      return undefined;
    }
    const clean = redact(text, patterns, () => redactions++);
    const most = Math.min(MOST_OF_A_TEXT, left);
    left -= Math.min(clean.length, most);
    characters += Math.max(0, clean.length - most);
    return most === 0 ? '' : plainText(clean, most);
  };
  return {
    startRun(removed) {
      left = charactersPerRun;
      characters += removed;
    },
    show,
    showAll(steps) {
      const texts = steps.map(({ content }) =>
        content === undefined ? '' : (show(content) ?? ''),
      );
      return open ? texts : undefined;
    },
    withheld: () => ({ texts: open, characters, redactions }),
  };
}

/** A text with `[redacted]` in the place of whatever fits a pattern. */
export function redact(
  text: string,
  patterns: readonly RegExp[],
  onRedaction: () => void = () => undefined,
): string {
  return patterns.reduce((clean, { source, flags }) => {
    const everywhere = new RegExp(source, `${flags.replaceAll(/[gy]/g, '')}g`);
    return clean.replace(everywhere, () => {
      onRedaction();
      return '[redacted]';
    });
  }, text);
}

function shown(text: string | undefined): string | undefined {
  return text === undefined ? undefined : plainText(text);
}

/** Six digits: more say nothing, and make the page half as large again. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
