import type { InferredFrom, Provenance } from '@kp/schema';
import type { NoAgentError } from '../errors/errors.ts';
import type { RecordedRun } from '../importer/importer.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import type { LabelJoin, LabelReport } from '../labels/label-join.ts';
import type { Label } from '../labels/label-sets.ts';
import { findTask } from '../messages/objective.ts';
import { inferOutcome } from '../outcome/infer-outcome.ts';
import { parseSuccessRule, type SuccessRule } from '../outcome/success-rule.ts';
import { type Judgement, judge } from '../outcome/verdict.ts';
import { nameTools } from '../shell/shell-tools.ts';
import { DEFAULT_PASS_AT, type ImportOptions, type RunFacts } from './import-options.ts';
import { createUnreadableVerdicts, type UnreadableVerdicts } from './unreadable-verdicts.ts';

/** The position of a run. */
export interface RunPlace {
  /** Name of the input, if it has one. */
  readonly file: string | undefined;
  /** Line of the input; the first line is 1. */
  readonly line: number;
}

/** The result of the caller's options and labels for one run. */
export interface RunDecision {
  readonly success: boolean | undefined;
  readonly from: Provenance['success'];
  readonly grade: number | undefined;
  readonly verdict: string | undefined;
  readonly choices: readonly string[] | undefined;
  /** A recorded statement that is no verdict; undefined if there is a verdict. */
  readonly unreadable?: Judgement['unreadable'];
  /** The evidence of an inferred outcome. */
  readonly inferredFrom?: InferredFrom;
  /** Undefined if neither a label nor an option sets it. */
  readonly confidence: number | undefined;
  /** Whether the confidence is the run's grade. */
  readonly confidenceIsGrade: boolean;
  readonly domain: string | undefined;
  /** Undefined unless an option sets it. */
  readonly objective: string | undefined;
}

/** The summary of an import. */
export interface ImportReport {
  /** Runs with at least one step. */
  readonly runs: number;
  /** Runs that crashed before their first step. They have no trace and count as failed. */
  readonly crashedRuns: number;
  /** Number of runs by the source of their outcome. */
  readonly success: Readonly<Record<Provenance['success'], number>>;
  /** Undefined without labels. */
  readonly labels: LabelReport | undefined;
  /** The success expression and the number of runs that it decided; undefined without one. */
  readonly expression: { readonly text: string; readonly answered: number } | undefined;
  /** Recorded verdicts among which the caller must choose, and the number of runs that have them. */
  readonly choices: readonly { readonly paths: readonly string[]; readonly runs: number }[];
  /** Recorded statements that cannot be read as verdicts. */
  readonly unreadable: readonly UnreadableVerdicts[];
  /** Traces of spans without an agent, such as those of a web server, and sessions without messages. */
  readonly tracesWithoutAgent: number;
}

/** The rules of one import, with counts of the runs that they were applied to. */
export interface RunRules {
  /** Whether the caller set `passAt`. */
  readonly passAtIsGiven: boolean;
  /** Prepares a run: finds its task and names its tools according to the options. */
  prepare(run: RecordedRun): RecordedRun;
  /** @param content - returns what the run did, if its id does not depend on that. */
  decide(
    run: RecordedRun,
    id: string,
    format: string,
    place: RunPlace,
    content?: () => JsonValue,
  ): RunDecision;
  /** Like `decide`, for a run that crashed before its first step. */
  decideCrashed(run: RecordedRun, id: string, format: string, place: RunPlace): RunDecision;
  /** Counts a run whose outcome was decided by the same rules elsewhere. */
  countDecided(success: Provenance['success'], choices?: readonly string[]): void;
  /** Counts the runs of a report, which the same rules decided elsewhere. */
  countReport(report: ImportReport): void;
  countTraceWithoutAgent(why: NoAgentError): void;
  /** The error of the first trace without an agent. */
  firstWithoutAgent(): NoAgentError | undefined;
  report(): ImportReport;
}

/**
 * Creates the rules of an import from its options.
 *
 * @param join - the joined labels.
 * @throws RangeError if the success expression is invalid.
 */
export function createRunRules(
  options: ImportOptions,
  join?: Pick<LabelJoin, 'find' | 'report'>,
): RunRules {
  const { success, passAt = DEFAULT_PASS_AT } = options;
  const expression = typeof success === 'string' ? parseSuccessRule(success) : undefined;
  const sources = {
    recorded: 0,
    graded: 0,
    labelled: 0,
    given: 0,
    inferred: 0,
    assumed: 0,
    unknown: 0,
  };
  const choices = new Map<string, { paths: readonly string[]; runs: number }>();
  const unreadable = createUnreadableVerdicts();
  let answered = 0;
  let crashedRuns = 0;
  let tracesWithoutAgent = 0;
  let firstWithoutAgent: NoAgentError | undefined;

  const decide: RunRules['decide'] = (run, id, format, place, content) => {
    const label = join?.find({ ...nameRun(run, id, place), content });
    const domain =
      typeof options.domain === 'function' ? options.domain(runFacts(format, run)) : options.domain;
    const ruled = expression?.apply(run, passAt);
    if (ruled !== undefined) answered += 1;
    const decided =
      fromLabel(label, passAt) ??
      fromCaller(options.success, format, run) ??
      (ruled === undefined ? fromRecording(run, format, passAt, options) : fromRule(ruled));
    const given = label?.confidence ?? options.confidence;
    const grade = options.gradeAsConfidence === true ? gradeOf(decided) : undefined;
    return {
      ...decided,
      confidence: given ?? grade,
      confidenceIsGrade: given === undefined && grade !== undefined,
      domain,
      objective: options.objective,
    };
  };

  function countChoice(paths: readonly string[], runs: number): void {
    const name = paths.join(' ');
    choices.set(name, { paths, runs: (choices.get(name)?.runs ?? 0) + runs });
  }

  function countDecided(success: Provenance['success'], among?: readonly string[]): void {
    sources[success] += 1;
    if (among !== undefined) countChoice(among, 1);
  }

  return {
    passAtIsGiven: options.passAt !== undefined,
    prepare(run) {
      const task = withObjective(findTask(run, options.turns ?? 'all'), options.objective);
      return nameTools(task, options.shellTools ?? 'one');
    },
    decide(run, id, format, place, content) {
      const decision = decide(run, id, format, place, content);
      countDecided(decision.from, decision.choices);
      if (decision.unreadable !== undefined) {
        const { path, value } = decision.unreadable;
        unreadable.add({ path, values: [value], runs: 1 });
      }
      return decision;
    },
    decideCrashed(run, id, format, place) {
      crashedRuns += 1;
      return decide(run, id, format, place);
    },
    countDecided,
    countReport(report) {
      for (const from of Object.keys(sources) as (keyof typeof sources)[]) {
        sources[from] += report.success[from];
      }
      crashedRuns += report.crashedRuns;
      answered += report.expression?.answered ?? 0;
      for (const { paths, runs } of report.choices) countChoice(paths, runs);
      for (const found of report.unreadable) unreadable.add(found);
    },
    countTraceWithoutAgent(why) {
      tracesWithoutAgent += 1;
      firstWithoutAgent ??= why;
    },
    firstWithoutAgent: () => firstWithoutAgent,
    report: () => ({
      runs: Object.values(sources).reduce((sum, runs) => sum + runs, 0),
      crashedRuns,
      success: { ...sources },
      labels: join?.report(),
      expression: expression && { text: expression.expression, answered },
      choices: [...choices.values()],
      unreadable: unreadable.list(),
      tracesWithoutAgent,
    }),
  };
}

type Decided = Omit<RunDecision, 'confidence' | 'confidenceIsGrade' | 'domain' | 'objective'>;

/** The grade of a run. Pass and fail count as 1 and 0. */
function gradeOf({ grade, success, from }: Decided): number | undefined {
  if (grade !== undefined) return grade;
  return success === undefined || from === 'assumed' || from === 'inferred'
    ? undefined
    : Number(success);
}

const NOTHING = { grade: undefined, verdict: undefined, choices: undefined };

function fromLabel(label: Label | undefined, passAt: number): Decided | undefined {
  const grade = label?.grade;
  const success = label?.success ?? (grade === undefined ? undefined : grade >= passAt);
  return success === undefined ? undefined : { ...NOTHING, success, from: 'labelled', grade };
}

function fromCaller(
  given: ImportOptions['success'],
  format: string,
  run: RecordedRun,
): Decided | undefined {
  if (given === undefined || typeof given === 'string') return undefined;
  const success = typeof given === 'function' ? given(runFacts(format, run)) : given;
  return success === undefined ? undefined : { ...NOTHING, success, from: 'given' };
}

/** A comparison is the caller's decision; a verdict that the caller selected is still recorded. */
function fromRule(ruled: NonNullable<ReturnType<SuccessRule['apply']>>): Decided {
  const { success, from, path: verdict, grade, isComparison } = ruled;
  return { success, from: isComparison ? 'given' : from, verdict, grade, choices: undefined };
}

function fromRecording(
  run: RecordedRun,
  format: string,
  passAt: number,
  { assumeSuccess: assumed, inferOutcome: infers }: ImportOptions,
): Decided {
  const { success: recorded, verdicts = [] } = run;
  if (recorded !== undefined && verdicts.length === 0) {
    return { ...NOTHING, success: recorded, from: 'recorded', verdict: 'success' };
  }
  const outright = recorded === undefined ? [] : [{ path: 'success', value: recorded }];
  const { success, from, path, grade, choices, unreadable }: Judgement = judge(
    [...outright, ...verdicts],
    passAt,
  );
  if (success !== undefined) return { success, from, grade, verdict: path, choices: undefined };
  const none = { ...NOTHING, choices, unreadable };
  const inferred = infers === true ? inferOutcome(run, format) : undefined;
  if (inferred !== undefined) {
    return { ...none, success: inferred.success, from: 'inferred', inferredFrom: inferred.from };
  }
  if (assumed === undefined) return { ...none, success: undefined, from: 'unknown' };
  // A run with an ending did not complete, whatever the assumed outcome is.
  return { ...none, success: assumed && run.ending === undefined, from: 'assumed' };
}

function nameRun(run: RecordedRun, id: string, place: RunPlace): Parameters<LabelJoin['find']>[0] {
  const { source, task, domain, model, record } = run;
  const fields = Object.entries({ ...(isJsonObject(record) ? record : {}), ...source });
  const byName = new Map(fields.map(([name, value]) => [name.toLowerCase(), value]));
  return { id, source, task, domain, model, field: (name) => byName.get(name), ...place };
}

function runFacts(format: string, run: RecordedRun): RunFacts {
  const tools = new Set<string>();
  for (const step of run.steps) if (step.kind === 'tool_call') tools.add(step.name);
  const { source, task, objective, record } = run;
  return { format, source, task, objective, tools: [...tools], record };
}

/** Replaces the objective with the caller's; the recorded one stays as the user's words. */
function withObjective(run: RecordedRun, given: string | undefined): RecordedRun {
  if (given === undefined) return run;
  const { objective, steps } = run;
  const isOther = objective !== undefined && objective.trim() !== given.trim();
  const said = { kind: 'observation', content: objective ?? '', role: 'user' } as const;
  return { ...run, objective: given, steps: isOther ? [said, ...steps] : steps };
}
