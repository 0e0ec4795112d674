import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { reasonFor, titleOf } from '../describe-runs.ts';
import type { ReportData, ReportPicks, ReportRun } from '../report-data.ts';
import { ComparisonChart, describeRun, GainChart, ThresholdChart } from './charts.tsx';
import { Distributions } from './distributions.tsx';
import { RunDetail } from './run-detail.tsx';
import { RunMap } from './run-map.tsx';
import { Contributions, Outcome, RunTable } from './run-table.tsx';
import { useFilter } from './use-filter.ts';
import { useSelected } from './use-selected.ts';
import { type Theme, useTheme } from './use-theme.ts';
import { Verdict } from './verdict.tsx';

/** The whole page: the verdict, what to read, and the pictures. */
export function ReportPage({ data }: { data: ReportData }): JSX.Element {
  const [theme, switchTheme] = useTheme();
  const { withheld } = data;
  return (
    <>
      <header>
        <h1>
          <bdi>{data.title}</bdi>
        </h1>
        <ThemeButton theme={theme} onClick={switchTheme} />
      </header>
      <main>
        <ReportSections data={data} theme={theme} hasAddress={true} />
      </main>
      <footer>
        <p>
          {withheld.texts ? 'Texts are cut' : 'Scores and derivations only, no texts of the runs'}:{' '}
          {withheld.characters.toLocaleString('en-US')} characters left out
          {withheld.redactions > 0 && `, ${withheld.redactions} places redacted`}. This page loads
          nothing and sends nothing.
        </p>
      </footer>
    </>
  );
}

interface ReportSectionsProps {
  readonly data: ReportData;
  readonly theme: Theme;
  /** Whether the address names the chosen run. */
  readonly hasAddress: boolean;
}

/**
 * What the page shows between its header and its footer.
 *
 * @param props - the data, the colours, and whether the address names the chosen run.
 */
export function ReportSections({ data, theme, hasAddress }: ReportSectionsProps): JSX.Element {
  const filter = useFilter(data);
  const { selected, isChosen, select } = useSelected(data, hasAddress);
  const hasPictures = useLater(data);
  const { picks, map, comparison } = data;
  return (
    <>
      <Verdict data={data} />
      {picks !== undefined && picks.runs.length > 0 && (
        <section>
          <h2>Read these {picks.runs.length} first</h2>
          <Picks data={data} picks={picks} selected={selected} onSelect={select} />
        </section>
      )}
      <section>
        <h2>All runs</h2>
        <div class="controls">
          <label>
            Search{' '}
            <input
              type="search"
              value={filter.search}
              onInput={(event) => filter.setSearch(event.currentTarget.value)}
            />
          </label>
          <span role="status">
            {filter.shown.length.toLocaleString('en-US')} of{' '}
            {data.runs.length.toLocaleString('en-US')} runs
          </span>
          {filter.isNarrowed && (
            <button type="button" onClick={filter.clear}>
              Show all
            </button>
          )}
        </div>
        <Distributions data={data} filter={filter} />
        <div class="split">
          <RunTable
            data={data}
            filter={filter}
            selected={selected}
            isChosen={isChosen}
            onSelect={select}
          />
          <RunDetail data={data} place={selected} onSelect={select} />
        </div>
        <p class="sr-only" aria-live="polite">
          {isChosen && describeRun(data, selected)}
        </p>
      </section>
      {hasPictures && map !== undefined && (
        <section>
          <h2>Which are alike</h2>
          <p class="quiet">
            Near is alike; light is a high score; lines join repeats. What the table leaves out is
            faint.
          </p>
          <RunMap
            data={data}
            map={map}
            shown={filter.shown}
            selected={selected}
            theme={theme}
            onSelect={select}
          />
        </section>
      )}
      {hasPictures && (
        <div class="pair">
          {picks !== undefined && picks.runs.length > 1 && (
            <section>
              <h2>What each pick adds</h2>
              <GainChart picks={picks} />
            </section>
          )}
          <ThresholdSection data={data} />
          {comparison !== undefined && (
            <section>
              <h2>Two sets of runs, task by task</h2>
              <ComparisonChart comparison={comparison} />
            </section>
          )}
        </div>
      )}
    </>
  );
}

/** Whether what is far down may be drawn: in a separate task, so that the page never freezes. */
function useLater(data: ReportData): boolean {
  const [drawn, setDrawn] = useState<ReportData>();
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(data));
    return () => clearTimeout(timer);
  }, [data]);
  return drawn === data;
}

/**
 * Switches between light and dark.
 *
 * @param props - the colours as they are, and what is told of a click.
 */
export function ThemeButton(props: { readonly theme: Theme; onClick(): void }): JSX.Element {
  return (
    <button type="button" onClick={props.onClick}>
      {props.theme === 'dark' ? 'Light' : 'Dark'} colours
    </button>
  );
}

function ThresholdSection({ data }: { data: ReportData }): JSX.Element | null {
  const chart = useMemo(() => ThresholdChart({ data }), [data]);
  if (chart === null) return null;
  return (
    <section>
      <h2>What a threshold keeps</h2>
      {chart}
    </section>
  );
}

interface PicksProps {
  readonly data: ReportData;
  readonly picks: ReportPicks;
  readonly selected: number;
  onSelect(place: number): void;
}

function Picks({ data, picks, selected, onSelect }: PicksProps): JSX.Element {
  return (
    <ol class="picks">
      {picks.runs.map((place, pick) => {
        const run = data.runs[place] as ReportRun;
        return (
          <li key={place} aria-current={place === selected}>
            <button type="button" onClick={() => onSelect(place)}>
              <span class="score">{run.score.toFixed(2)}</span>
              <span class="what">
                <bdi>{titleOf(run)}</bdi>
                <small>{reasonFor(data, pick)}</small>
              </span>
              <Contributions run={run} />
              <Outcome run={run} />
            </button>
          </li>
        );
      })}
    </ol>
  );
}
