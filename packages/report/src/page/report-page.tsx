import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { reasonFor, titleOf } from '../describe-runs.ts';
import type { ReportData, ReportPicks, ReportRun } from '../report-data.ts';
import type { TextSource } from '../transcript/text-source.ts';
import { ComparisonChart, GainChart, ThresholdChart } from './charts.tsx';
import { Distributions } from './distributions.tsx';
import { Reader } from './reader/reader.tsx';
import { allRuns } from './run-keys.ts';
import { RunMap } from './run-map.tsx';
import { Contributions, Outcome, RunTable } from './run-table.tsx';
import { Toolbar } from './toolbar.tsx';
import { useAddress } from './use-address.ts';
import { useFilter } from './use-filter.ts';
import { useOpenRun } from './use-open-run.ts';
import { type Theme, useTheme } from './use-theme.ts';
import { Verdict } from './verdict.tsx';

interface ReportPageProps {
  readonly data: ReportData;
  readonly source: TextSource | undefined;
}

/** The whole page: the verdict, what to read, the pictures, and the reader. */
export function ReportPage({ data, source }: ReportPageProps): JSX.Element {
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
        <ReportSections data={data} source={source} theme={theme} hasAddress={true} />
      </main>
      <footer>
        <p>
          {withheld.texts
            ? 'With the texts of the runs'
            : 'Scores and derivations, no texts of the runs'}
          {withheld.characters > 0 &&
            `: ${withheld.characters.toLocaleString('en-US')} characters left out`}
          {withheld.redactions > 0 && `, ${withheld.redactions} places redacted`}
          {(withheld.masked ?? 0) > 0 && `, ${withheld.masked} secrets masked`}.{' '}
          {document.documentElement.dataset.served === 'true'
            ? 'This page asks for texts from kp on this machine, and sends nothing elsewhere.'
            : 'This page loads nothing and sends nothing.'}
        </p>
      </footer>
    </>
  );
}

/** What a part of a page that shows a report is given. */
export interface ReportSectionsProps {
  readonly data: ReportData;
  /** Where the texts of the runs are read; undefined where the page has none. */
  readonly source: TextSource | undefined;
  readonly theme: Theme;
  /** Whether the address names the run that is read, the search and the filters. */
  readonly hasAddress: boolean;
}

/**
 * What the page shows between its header and its footer.
 *
 * @param props - the data, the texts, the colours, and whether the address may be used.
 */
export function ReportSections(props: ReportSectionsProps): JSX.Element {
  const { data, source, theme, hasAddress } = props;
  const address = useAddress(hasAddress);
  const filter = useFilter(data, source, address);
  const opened = useOpenRun(data, address);
  const hasPictures = useLater(data);
  const overview = useRef<HTMLDivElement>(null);
  const { picks, map, comparison } = data;
  const run = opened.place === undefined ? undefined : allRuns(data)[opened.place];
  const isReading = run !== undefined;

  useEffect(() => {
    document.documentElement.classList.toggle('reading', isReading);
    if (isReading) return undefined;
    // Back from a run: whoever uses the keyboard continues where it was opened.
    const table = overview.current?.querySelector<HTMLElement>('.scroller');
    if (opened.last !== undefined) table?.focus({ preventScroll: true });
    return undefined;
  }, [isReading]);
  return (
    <>
      <div class="overview" ref={overview} inert={isReading}>
        <Verdict data={data} />
        {picks !== undefined && picks.runs.length > 0 && (
          <section>
            <h2>Read these {picks.runs.length} first</h2>
            <Picks data={data} picks={picks} onOpen={opened.open} />
          </section>
        )}
        <section id="runs">
          <h2>All runs</h2>
          <Toolbar data={data} filter={filter} hasTexts={source !== undefined} />
          <Distributions data={data} filter={filter} />
          <RunTable data={data} filter={filter} selected={opened.last} onOpen={opened.open} />
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
              selected={opened.last ?? -1}
              theme={theme}
              onSelect={opened.open}
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
      </div>
      {run !== undefined && opened.place !== undefined && (
        <Reader
          data={data}
          filter={filter}
          source={source}
          run={run}
          place={opened.place}
          step={opened.step}
          onOpen={opened.open}
          onStep={opened.goToStep}
          onCompare={() => undefined}
          onClose={opened.close}
        />
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
  onOpen(place: number): void;
}

function Picks({ data, picks, onOpen }: PicksProps): JSX.Element {
  return (
    <ol class="picks">
      {picks.runs.map((place, pick) => {
        const run = data.runs[place] as ReportRun;
        return (
          <li key={place}>
            <button type="button" onClick={() => onOpen(place)}>
              <span class="score">{run.score.toFixed(2)}</span>
              <span class="what">
                <bdi>{titleOf(run, data.tools)}</bdi>
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
