import type { Command } from 'commander';
import { wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import { addHelp } from '../output/help.ts';
import { columnsOf } from '../output/terminal.ts';
import { count, fit, grouped, oneLine, printable, shortId } from '../output/text.ts';
import { openRuns } from '../runs/open-runs.ts';
import { addInputOptions, type InputFlags } from '../runs/options.ts';
import type { ScoredRun } from '../runs/run.ts';
import {
  addScorerOptions,
  createChosenScorer,
  type ScorerFlags,
  scoreRuns,
} from '../scoring/scoring.ts';
import { renderDerivation } from '../views/derivation.ts';
import { scoredRecord } from '../views/printers.ts';

interface ExplainFlags extends InputFlags, ScorerFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain')
    .description(
      'Explains the score of one run: each dimension, each rule and what it was compared with. Without an ID, explains the best score.',
    )
    .argument('<file>', 'a recording, a folder, or - (standard input)')
    .argument('[id]', 'the id of a run, or a unique part of its id, task, file or objective')
    .option('--json', 'print the score report as JSON')
    .option('-q, --quiet', 'print no progress');
  addScorerOptions(command);
  addInputOptions(command);
  addHelp(command, {
    examples: [
      ['kp explain trace.json', 'explain the only run of a file'],
      ['kp explain runs.jsonl kp:trace:finance-tsmc-q4-margin', 'explain a run by its id'],
      ['kp explain runs/ margin', 'explain the one run with "margin" in its id'],
    ],
    notes: ['kp scores the runs before it first, because novelty compares a run with them.'],
    no: 'there was no run to explain',
  });
  command.action(async (file: string, id: string | undefined, flags: ExplainFlags) => {
    process.exitCode = await explain(file, id, flags);
  });
}

/** @returns The exit status. */
async function explain(
  file: string,
  name: string | undefined,
  flags: ExplainFlags,
): Promise<ExitStatus> {
  const { scorer, close: closeScorer } = await createChosenScorer(flags);
  const opened = await openRuns([file], flags, 'scoring');
  const { terminal, notes, close } = opened;
  const { output, progress } = terminal;
  const choice = name === undefined ? bestOf() : namedBy(name);
  let amount = 0;
  for await (const scored of scoreRuns(scorer, opened, 1)) {
    amount++;
    if (choice.add(scored) === 'found') break;
  }
  await closeScorer();
  const status = close({ no: amount === 0 });

  const chosen = choice.chosen();
  if (chosen === undefined) {
    if (amount === 0) {
      const isSilent = flags.quiet === true || status !== EXIT.no;
      const lines = isSilent ? [] : ['no run to explain', ...notes()];
      for (const line of lines) progress.message(line);
      return status;
    }
    throw wrongUse(
      file,
      `a run whose id, task, file or objective contains ${JSON.stringify(name)}`,
      count(amount, 'other run'),
    );
  }
  const { report, run } = chosen;
  if (flags.json === true) {
    await output.json(scoredRecord(chosen, false), 2);
  } else {
    await output.print(renderDerivation(report, run, columnsOf(process.stdout), terminal.colors));
    if (name === undefined && amount > 1) {
      progress.message(`the best of ${count(amount, 'run')}; name another by its id`);
    }
  }
  return status;
}

/** Finds one run in a stream of runs. */
interface Choice {
  /** Adds a run; `found` if the search can stop. */
  add(scored: ScoredRun): 'found' | undefined;
  /** @throws UsageError if several runs match equally well. */
  chosen(): ScoredRun | undefined;
}

function bestOf(): Choice {
  let best: ScoredRun | undefined;
  return {
    add(scored) {
      if (best === undefined || scored.report.score > best.report.score) best = scored;
      return undefined;
    },
    chosen: () => best,
  };
}

/**
 * Finds the run with this id, or the only run whose id contains the text, or the only run whose
 * task, file or objective contains it.
 */
function namedBy(name: string): Choice {
  let exact: ScoredRun | undefined;
  const byId = createMatches(name);
  const byText = createMatches(name);
  const part = shortId(name).toLowerCase();
  return {
    add(scored) {
      const { trace, task, file, objective } = scored.fields;
      if (shortId(trace) === shortId(name)) {
        exact = scored;
        return 'found';
      }
      if (shortId(trace).toLowerCase().includes(part)) byId.add(scored);
      else if (`${task}\n${file}\n${objective}`.toLowerCase().includes(part)) byText.add(scored);
      return undefined;
    },
    chosen: () => exact ?? byId.only() ?? byText.only(),
  };
}

const MATCHES_SHOWN = 8;
const OBJECTIVE_WIDTH = 60;

/** Keeps the first match, and the facts about further matches that an error message needs. */
function createMatches(name: string): {
  add(scored: ScoredRun): void;
  only(): ScoredRun | undefined;
} {
  let first: ScoredRun | undefined;
  let amount = 0;
  const shown: string[] = [];
  return {
    add(scored) {
      first ??= scored;
      amount++;
      if (amount > MATCHES_SHOWN) return;
      const { trace, objective } = scored.fields;
      shown.push(`\n  ${printable(trace)}   ${fit(oneLine(objective), OBJECTIVE_WIDTH)}`);
    },
    only() {
      if (amount < 2) return first;
      const more = amount - shown.length;
      throw wrongUse(
        `ID ${JSON.stringify(name)}`,
        'a text that matches one trace',
        `one that matches ${grouped(amount)}`,
        `choose one:${shown.join('')}${more > 0 ? `\n  and ${grouped(more)} more` : ''}`,
      );
    },
  };
}
