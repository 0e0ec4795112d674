import { grouped, percent, plural } from '@kp/foundation';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ComparedSet, ComparedTask, ReportComparison, ReportData } from '../../report-data.ts';
import { usePrinting } from '../use-printing.ts';

const FIRST_ROWS = 20;
// More rows would make the page slow.
const MOST_ROWS = 5000;
// Scores are shown with three decimals, so smaller differences are invisible.
const TIE = 0.0005;

interface ComparisonSectionProps {
  readonly data: ReportData;
  readonly comparison: ReportComparison;
  onCompare(left: number, right: number): void;
}

/** Compares two sets of runs task by task, and lists missing ones. */
export function ComparisonSection(props: ComparisonSectionProps): JSX.Element {
  const { comparison, onCompare } = props;
  const { before, after, tasks, missing = [], crashed = [] } = comparison;
  const [isWhole, setWhole] = useState(false);
  const ordered = tasks.toSorted((a, b) => a.after - a.before - (b.after - b.before));
  const isPrinting = usePrinting();
  const shown = isWhole || isPrinting ? ordered.slice(0, MOST_ROWS) : extremesOf(ordered);
  return (
    <section class="comparison">
      <h2>
        <bdi>{after}</bdi> compared with <bdi>{before}</bdi>
      </h2>
      <p class="lead">{summaryOf(comparison)}</p>
      <p>{setText(comparison)}</p>
      {tasks.length > 0 && <p class="quiet">{SCORES}</p>}
      {tasks.length > 0 && (
        <>
          <ul class="legend">
            <li>
              <Dot kind="before" /> <bdi>{before}</bdi>
            </li>
            <li>
              <Dot kind="gain" /> <bdi>{after}</bdi>, better
            </li>
            <li>
              <Dot kind="loss" /> <bdi>{after}</bdi>, worse
            </li>
          </ul>
          <table class="tasks">
            <thead>
              <tr>
                <th scope="col">Task</th>
                <th scope="col" class="number">
                  Base
                </th>
                <th scope="col">
                  <div class="axis">
                    <span>0</span>
                    <span>score</span>
                    <span>1</span>
                  </div>
                </th>
                <th scope="col" class="number">
                  New
                </th>
                <th scope="col" class="number">
                  Change
                </th>
                <th scope="col">
                  <span class="sr-only">Runs</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((task) => (
                <TaskRow key={task.task} task={task} onCompare={onCompare} />
              ))}
            </tbody>
          </table>
          {ordered.length > shown.length && (
            <button type="button" class="show-all" onClick={() => setWhole(true)}>
              Show all {grouped(ordered.length)} tasks
            </button>
          )}
        </>
      )}
      <NoteList
        title={`Tasks of ${before} of which no run of ${after} has a score`}
        lines={missing.map(({ task, reason }) => `${task}: ${REASONS[reason]}`)}
      />
      <NoteList
        title="Runs that crashed before their first step"
        lines={crashed.map(({ set, task, reason }) => {
          return `${set === 'after' ? after : before}, ${task}: ${reason}`;
        })}
      />
    </section>
  );
}

const SCORES =
  'Every run counts as new here (novelty 1), and a crashed run as 0. So the change does not depend on the number of runs, and the scores differ from those of single runs.';

const REASONS = { absent: 'not attempted', crashed: 'crashed' } as const;

/** Shows the greatest losses and the greatest wins. */
function extremesOf(ordered: readonly ComparedTask[]): readonly ComparedTask[] {
  if (ordered.length <= FIRST_ROWS) return ordered;
  return [...ordered.slice(0, FIRST_ROWS / 2), ...ordered.slice(-FIRST_ROWS / 2)];
}

function summaryOf(comparison: ReportComparison): string {
  const { tasks, wins, losses, ties, difference } = comparison;
  if (tasks.length === 0) return 'No task has runs in both sets.';
  const counts = `Better on ${wins} of ${plural(tasks.length, 'task')}, worse on ${losses}, even on ${ties}.`;
  if (ties === tasks.length) return counts;
  return `${counts} The score changes by ${signed(difference)} on average (${intervalText(comparison)}).`;
}

function intervalText({ interval }: ReportComparison): string {
  if (interval === undefined) return 'too few tasks to tell whether that is chance';
  const [low, high] = interval;
  const sure =
    low > 0
      ? 'an improvement'
      : high < 0
        ? 'a loss'
        : 'which may be chance: the interval contains 0';
  return `95 % of ${signed(low)} to ${signed(high)}, ${sure}`;
}

function setText({ before, after, beforeSet, afterSet, onlyBefore, onlyAfter }: ReportComparison) {
  const parts = [
    describeSet(before, beforeSet),
    describeSet(after, afterSet),
    onlyBefore > 0 ? `${plural(onlyBefore, 'task')} only in ${before}` : '',
    onlyAfter > 0 ? `${plural(onlyAfter, 'task')} only in ${after}` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

function describeSet(name: string, set: ComparedSet | undefined): string {
  if (set === undefined) return '';
  const passed =
    set.passRate === null ? '' : `, ${percent(set.passRate)} of those with a verdict succeeded`;
  const crashed = set.crashed === 0 ? '' : `, ${set.crashed} crashed`;
  return `${name}: ${plural(set.runs, 'run')}${crashed}${passed}`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function Dot({ kind }: { kind: string }): JSX.Element {
  return (
    <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <Mark kind={kind} x={5} />
    </svg>
  );
}

/**
 * Shapes that differ without colours: a circle for the base, a triangle up for better, down for
 * worse.
 */
function Mark({ kind, x }: { kind: string; x: number }): JSX.Element {
  if (kind === 'gain') return <path class="gain" d={`M${x - 5} 9L${x} 0L${x + 5} 9Z`} />;
  if (kind === 'loss') return <path class="loss" d={`M${x - 5} 1L${x} 10L${x + 5} 1Z`} />;
  return <circle class="before" cx={x} cy="5" r="4" />;
}

const WIDTH = 200;

interface TaskRowProps {
  readonly task: ComparedTask;
  onCompare(left: number, right: number): void;
}

function TaskRow({ task, onCompare }: TaskRowProps): JSX.Element {
  const { before, after, beforeRuns = [], afterRuns = [] } = task;
  const difference = after - before;
  const kind = Math.abs(difference) < TIE ? 'before' : difference > 0 ? 'gain' : 'loss';
  const x = (score: number): number => 6 + score * (WIDTH - 12);
  const [left, right] = [beforeRuns[0], afterRuns[0]];
  const runs = Math.max(beforeRuns.length, afterRuns.length);
  return (
    <tr>
      <th scope="row">
        <bdi>{task.task}</bdi>
      </th>
      <td class="number">{before.toFixed(3)}</td>
      <td class="plot">
        <svg viewBox={`0 0 ${WIDTH} 10`} aria-hidden="true">
          <line class="grid" x1={x(0)} x2={x(1)} y1="5" y2="5" />
          <line class={kind} x1={x(before)} x2={x(after)} y1="5" y2="5" />
          <Mark kind="before" x={x(before)} />
          {kind !== 'before' && <Mark kind={kind} x={x(after)} />}
        </svg>
      </td>
      <td class="number">{after.toFixed(3)}</td>
      <td class={`number ${kind === 'gain' ? 'good' : kind === 'loss' ? 'bad' : 'quiet'}`}>
        {kind === 'before' ? '=' : signed(difference)}
      </td>
      <td>
        {left !== undefined && right !== undefined && (
          <button
            type="button"
            aria-label={`Compare the runs of ${task.task}`}
            onClick={() => onCompare(left, right)}
          >
            Compare{runs > 1 ? ' the first runs' : ''}
          </button>
        )}
      </td>
    </tr>
  );
}

const MOST_LINES = 50;

function NoteList({
  title,
  lines,
}: {
  title: string;
  lines: readonly string[];
}): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>
        {title}: {lines.length}
      </summary>
      <ul>
        {lines.slice(0, MOST_LINES).map((line, place) => (
          <li key={place}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
      {lines.length > MOST_LINES && <p class="quiet">{lines.length - MOST_LINES} more.</p>}
    </details>
  );
}
