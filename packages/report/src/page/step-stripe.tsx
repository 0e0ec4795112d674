import type { JSX } from 'preact';
import type { ReportData, ReportRun } from '../report-data.ts';

const CELL = 12;
const HEIGHT = 18;
const COLUMNS = 44;
// Past it the stripe says less than its numbers.
const MOST_CELLS = 2000;
const TOOL_COLORS = 10;

const NAMES: Readonly<Record<string, string>> = {
  t: 'thought',
  c: 'tool call',
  o: 'observation',
  r: 'recovery',
};

/** The steps of a run in order: kinds by form, tools by colour, errors and recoveries marked. */
export function StepStripe({ data, run }: { data: ReportData; run: ReportRun }): JSX.Element {
  const { kinds, tools, errors, derived } = run.steps;
  if (kinds === '') return <p class="quiet">The steps are not in this report.</p>;
  const shown = Math.min(kinds.length, MOST_CELLS);
  const rows = Math.ceil(shown / COLUMNS);
  const failing = new Set(errors);
  const made = new Set(derived);
  const used = [...new Set(tools.filter((tool) => tool >= 0))];
  const colorOf = new Map(used.map((tool, index) => [tool, index % TOOL_COLORS]));
  return (
    <figure>
      <figcaption>
        {kinds.length} steps: {countsOf(kinds)}
        {errors.length > 0 ? `, ${errors.length} with an error` : ''}
      </figcaption>
      <svg
        class="steps"
        viewBox={`0 0 ${COLUMNS * CELL} ${rows * HEIGHT}`}
        role="img"
        aria-label={`${kinds.length} steps: ${countsOf(kinds)}; tools: ${used.map((tool) => data.tools[tool]).join(', ') || 'none'}`}
      >
        {Array.from({ length: shown }, (_, step) => (
          <StepCell
            key={step}
            x={(step % COLUMNS) * CELL}
            y={Math.floor(step / COLUMNS) * HEIGHT}
            kind={kinds[step] ?? 'o'}
            color={colorOf.get(tools[step] ?? -1)}
            isError={failing.has(step)}
            isDerived={made.has(step)}
            title={titleOf(data, run, step)}
          />
        ))}
      </svg>
      {kinds.length > shown && (
        <p class="quiet">The last {kinds.length - shown} steps are not drawn.</p>
      )}
      <ul class="legend">
        {used.slice(0, 24).map((tool) => (
          <li key={tool}>
            <span class={`swatch tool-${colorOf.get(tool)}`} aria-hidden="true" />
            <bdi>{data.tools[tool]}</bdi>
          </li>
        ))}
        {derived.length > 0 && <li>▲ hollow: derived from an error, not recorded</li>}
      </ul>
    </figure>
  );
}

interface StepCellProps {
  readonly x: number;
  readonly y: number;
  readonly kind: string;
  readonly color: number | undefined;
  readonly isError: boolean;
  readonly isDerived: boolean;
  readonly title: string;
}

function StepCell({ x, y, kind, color, isError, isDerived, title }: StepCellProps): JSX.Element {
  const fill = color === undefined ? `kind-${kind}` : `tool-${color}`;
  return (
    <g transform={`translate(${x} ${y})`}>
      <title>{title}</title>
      {kind === 'r' ? (
        <path
          class={isDerived ? 'recovery derived' : 'recovery'}
          d={`M1 13 L${CELL / 2} 2 L${CELL - 1} 13 Z`}
        />
      ) : (
        <rect
          class={fill}
          x="1"
          y={kind === 'o' ? 7 : 2}
          width={CELL - 2}
          height={kind === 'o' ? 6 : 11}
          rx={kind === 't' ? 5 : 1}
        />
      )}
      {isError && <rect class="error" x="1" y="14" width={CELL - 2} height="3" />}
    </g>
  );
}

function titleOf(data: ReportData, { steps, texts }: ReportRun, step: number): string {
  const tool = data.tools[steps.tools[step] ?? -1];
  const text = texts?.[step] ?? '';
  const error = steps.errors.includes(step) ? ', error' : '';
  return `${step + 1}: ${NAMES[steps.kinds[step] ?? ''] ?? ''}${tool === undefined ? '' : ` ${tool}`}${error}${text === '' ? '' : `\n${text}`}`;
}

function countsOf(kinds: string): string {
  return Object.entries(NAMES)
    .map(([letter, name]) => [kinds.split(letter).length - 1, name] as const)
    .filter(([count]) => count > 0)
    .map(([count, name]) =>
      `${count} ${name}${count === 1 ? '' : 's'}`.replace('recoverys', 'recoveries'),
    )
    .join(', ');
}
