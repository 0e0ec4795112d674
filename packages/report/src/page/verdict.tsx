import type { JSX } from 'preact';
import { bandsOf, verdictOf } from '../describe-runs.ts';
import type { ReportData } from '../report-data.ts';

/** What the first screen says: how many runs, how good, what to do, and what to mind. */
export function Verdict({ data }: { data: ReportData }): JSX.Element {
  return (
    <section class="verdict" aria-label="Verdict">
      <div>
        {verdictOf(data).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {data.runs.length > 0 && <ScoreBands data={data} />}
      </div>
      <Notes data={data} />
    </section>
  );
}

function ScoreBands({ data }: { data: ReportData }): JSX.Element {
  const bands = bandsOf(data);
  let at = 0;
  return (
    <figure class="bands">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {bands.map(({ name, runs, from }) => {
          const x = at;
          const width = (runs / data.runs.length) * 100;
          at += width;
          return <rect key={name} fill={scoreColor(from + 0.1)} x={x} width={width} height="10" />;
        })}
      </svg>
      <ul class="legend">
        {bands.map(({ name, runs, from }) => (
          <li key={name}>
            <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
              <rect fill={scoreColor(from + 0.1)} width="1" height="1" />
            </svg>
            {name}: {runs.toLocaleString('en-US')}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function Notes({ data }: { data: ReportData }): JSX.Element | null {
  if (data.notes.length === 0) return null;
  return (
    <ul class="notes" aria-label="To mind">
      {data.notes.map(({ level, about, text }) => (
        <li key={text} class={level}>
          <strong>{about ?? (level === 'warning' ? 'mind' : 'note')}</strong> <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** From blue over green to yellow: it grows lighter with the score, also without colour vision. */
export function scoreColor(score: number): string {
  return `hsl(${260 - 200 * score} ${55 + 25 * score}% ${34 + 22 * score}%)`;
}
