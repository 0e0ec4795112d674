import type { RunTranscript } from './transcript/transcript.ts';

/** What a report page shows, plain JSON. Made by `createReportData`. */
export interface ReportData {
  /** Of this form. */
  readonly version: 1;
  /** What stands above the page. */
  readonly title: string;
  /** A score of this or more counts as good. */
  readonly threshold: number;
  /** Labels of the dimensions, in the order of {@link ReportRun.values}. */
  readonly dimensions: readonly string[];
  /** Names of the tools that {@link StepStrip.tools} counts through. */
  readonly tools: readonly string[];
  /** In the order of the page. */
  readonly runs: readonly ReportRun[];
  /** What a reader should know before the figures, the gravest first. */
  readonly notes: readonly ReportNote[];
  /** Runs worth reading, best first: which, and what each adds. */
  readonly picks?: ReportPicks;
  /** Runs on a plane, near when they are alike. */
  readonly map?: ReportMap;
  /** Two sets of runs on the same tasks. */
  readonly comparison?: ReportComparison;
  /** What the page leaves out. */
  readonly withheld: Withheld;
  /** The command that makes this page with the texts of its runs, where they are left out. */
  readonly textCommand?: string;
  /**
   * What was said and done in each run, in the order of {@link ReportData.runs}, then of the runs of
   * the base; only where texts were asked for.
   */
  readonly transcripts?: readonly (RunTranscript | undefined)[];
}

/** A sentence that stands above the figures. */
export interface ReportNote {
  /** Whether the figures need care because of it. */
  readonly level: 'warning' | 'note';
  /** What it is about, in a word. */
  readonly about?: string;
  /** The sentence. */
  readonly text: string;
  /** What to do about it. */
  readonly action?: NoteAction;
}

/** A session of a coding agent. */
export interface ReportSession {
  /** Runs of one session share it; sub-agents have that of the session that started them. */
  readonly id?: string;
  /** A name, or the folder in which the agent worked. */
  readonly project?: string;
  /** Only on pages with texts. */
  readonly title?: string;
  /** When the run began, ISO 8601. */
  readonly startedAt?: string;
  /** Whether the run is that of a sub-agent. */
  readonly isSubAgent: boolean;
}

/** What a reader can do about a note: look at some runs, or run a command. */
export type NoteAction =
  | { readonly label: string; readonly filter: Readonly<Record<string, string>> }
  | { readonly label: string; readonly command: string };

/** One scored run. */
export interface ReportRun {
  /** The trace's. */
  readonly id: string;
  /** In [0, 1]. */
  readonly score: number;
  /** The sum before the rules, in [0, 1]. */
  readonly composite: number;
  /** Whose weights count. */
  readonly profile: string;
  /** A dimension each, in [0, 1]. */
  readonly values: readonly number[];
  /** A dimension each; 0 for one that the profile leaves out. */
  readonly weights: readonly number[];
  /** The rules that applied, in order: label, score before, score after. */
  readonly rules: readonly (readonly [label: string, before: number, after: number])[];
  /** `nearest`, `empty_memory`, `corpus` … */
  readonly noveltySource: string;
  /** The run that it is most like. */
  readonly nearest?: { readonly id: string; readonly similarity: number };
  /** Null when nothing says it. */
  readonly success: boolean | null;
  /** `recorded`, `graded`, `labelled`, `given`, `assumed`, `unknown`. */
  readonly successSource: string;
  /** The recording that it is from. */
  readonly file?: string;
  /** What the recording calls the task. */
  readonly task?: string;
  /** The model that it called. */
  readonly model?: string;
  /** The session of a coding agent to which it belongs. */
  readonly session?: ReportSession;
  /** What it took, where that is recorded. */
  readonly took?: {
    /** In milliseconds. */
    readonly durationMs?: number;
    /** Tokens that the models read. */
    readonly inputTokens?: number;
    /** Tokens that the models wrote. */
    readonly outputTokens?: number;
    /** In US dollars. */
    readonly costUsd?: number;
  };
  /** `keep`, `uncertain` or `redundant`, where thresholds were given. */
  readonly band?: string;
  /** Facts about its steps, such as loops: a line each. */
  readonly findings?: readonly string[];
  /** What it did, without words. */
  readonly steps: StepStrip;
  /** The domain that its recording or the user names. */
  readonly domain?: string;
  /** Only where texts were asked for, in one line. */
  readonly objective?: string;
  /** What it is called where there is room for one line. */
  readonly title: string;
}

/** The steps of a run, without their texts. */
export interface StepStrip {
  /** A letter a step: `t` thought, `c` tool call, `o` observation, `r` error recovery. */
  readonly kinds: string;
  /** A number a step: place in {@link ReportData.tools}, or −1 for a step without a tool. */
  readonly tools: readonly number[];
  /** Steps that report an error. */
  readonly errors: readonly number[];
  /** Steps whose kind is not recorded but was derived. */
  readonly derived: readonly number[];
}

/** Runs worth reading, and what each adds. */
export interface ReportPicks {
  /** Places in {@link ReportData.runs}, in the order picked. */
  readonly runs: readonly number[];
  /**
   * Share of the corpus that is covered after each pick, in [0, 1]: the mean over all runs of how much
   * more similar the most similar pick is than two runs usually are; 1 for a pick itself.
   */
  readonly coverage: readonly number[];
  /** Runs with nearly the same objective as each pick, itself among them. */
  readonly alike: readonly number[];
  /** Coverage by as many runs at random, and by those of the highest score. */
  readonly random: readonly number[];
  /** Coverage by as many runs of the highest score. */
  readonly byScore: readonly number[];
  /** Number of picks after which each further one adds little; 0 where there is no such number. */
  readonly knee: number;
}

/** Where each run lies on a plane. */
export interface ReportMap {
  /** One a run. */
  readonly x: readonly number[];
  /** One a run. */
  readonly y: readonly number[];
  /** How it was laid out. */
  readonly method: 'pca' | 'umap';
  /** Groups of runs that repeat each other, by their places. */
  readonly duplicates: readonly (readonly number[])[];
  /** Groups that lie together. */
  readonly clusters: readonly ReportCluster[];
}

/** Runs that lie together on the map. */
export interface ReportCluster {
  /** Places in {@link ReportData.runs}. */
  readonly runs: readonly number[];
  /** What most of its runs were to do, or their tasks or tools. */
  readonly name?: string;
}

/** Two sets of runs on the same tasks. */
export interface ReportComparison {
  /** The name of the first set. */
  readonly before: string;
  /** The name of the second set. */
  readonly after: string;
  /** Tasks that both sets have. */
  readonly tasks: readonly ComparedTask[];
  /** Tasks on which the second set scores more. */
  readonly wins: number;
  /** Tasks on which the second set scores less. */
  readonly losses: number;
  /** Tasks on which they score the same. */
  readonly ties: number;
  /** The mean difference, second less first. */
  readonly difference: number;
  /** 95 % interval of the difference. */
  readonly interval: readonly [number, number];
  /** The runs of the first set; their places and transcripts follow those of the second. */
  readonly runs?: readonly ReportRun[];
  /** What the first set is, and how many of its runs passed. */
  readonly beforeSet?: ComparedSet;
  /** What the second set is, and how many of its runs passed. */
  readonly afterSet?: ComparedSet;
  /** Tasks of the first set of which the second has no score, each with the reason. */
  readonly missing?: readonly { readonly task: string; readonly reason: 'absent' | 'crashed' }[];
  /** Runs that crashed before their first step. */
  readonly crashed?: readonly CrashedRunNote[];
  /** Tasks that only the first set has. */
  readonly onlyBefore: number;
  /** Tasks that only the second set has. */
  readonly onlyAfter: number;
}

/** One task in both sets: the mean score of its runs in each. */
export interface ComparedTask {
  /** Name of the task. */
  readonly task: string;
  /** Mean score in the first set. */
  readonly before: number;
  /** Mean score in the second set. */
  readonly after: number;
  /** Places of its runs of the first set: those of {@link ReportComparison.runs} follow the others. */
  readonly beforeRuns?: readonly number[];
  /** Places in {@link ReportData.runs}. */
  readonly afterRuns?: readonly number[];
}

/** How many runs a set has, and how they ended. */
export interface ComparedSet {
  /** Number of runs. */
  readonly runs: number;
  /** Runs that crashed before their first step. */
  readonly crashed: number;
  /** Share of the runs with a verdict that passed; null without any. */
  readonly passRate: number | null;
}

/** A run that crashed before its first step. */
export interface CrashedRunNote {
  /** The set to which the run belongs. */
  readonly set: 'before' | 'after';
  /** The recorded name of its task, or of the run. */
  readonly task: string;
  /** Why it ended. */
  readonly reason: string;
}

/** What the page leaves out. */
export interface Withheld {
  /** Whether texts were asked for. */
  readonly texts: boolean;
  /** Characters of texts that are not on the page. */
  readonly characters: number;
  /** Places in texts where a pattern to redact was found. */
  readonly redactions: number;
  /** Secrets and personal data that were masked in the texts; absent where nothing was masked. */
  readonly masked?: number;
}
