import type { ReasoningTrace } from '@knowledgepulse/sdk';
import {
  createFinder,
  createTranscript,
  type Finder,
  findInTranscript,
  type RunTranscript,
  redact,
} from '@kp/report';
import type { Spill, SpilledText } from '../output/spill.ts';
import type { SearchPart, ServedReport } from './report-server.ts';
import type { TextMask } from './text-mask.ts';

interface ServedTextsOptions {
  readonly spill: Spill;
  /** Stored trace of each run; undefined if the run is not stored. */
  readonly places: readonly (SpilledText | undefined)[];
  readonly mask: TextMask;
  readonly redact: readonly RegExp[];
}

/** What a reader of the page sees of a run. */
interface ServedRun {
  readonly transcript: RunTranscript;
  /** Name of the tool of each step. */
  readonly tools: readonly (string | undefined)[];
}

const RUNS_A_PART = 50;
const KEPT = 8;

/** Reads, masks and searches the texts of runs on request. */
export function createServedTexts(options: ServedTextsOptions): Omit<ServedReport, 'html'> {
  const { spill, places, mask, redact: patterns } = options;
  const masked = new Map<number, Promise<ServedRun | undefined>>();

  async function traceOf(place: number): Promise<ReasoningTrace | undefined> {
    const spilled = places[place];
    return spilled === undefined ? undefined : JSON.parse(await spill.read(spilled));
  }
  async function read(place: number): Promise<ServedRun | undefined> {
    const trace = await traceOf(place);
    const shown = trace === undefined ? undefined : await mask.mask(trace);
    if (shown === undefined) return undefined;
    const { transcript } = createTranscript(shown, { clean: (text) => redact(text, patterns) });
    return { transcript, tools: toolsOf(shown) };
  }
  function show(place: number): Promise<ServedRun | undefined> {
    const known = masked.get(place);
    if (known !== undefined) return known;
    const reading = read(place);
    masked.set(place, reading);
    reading.catch(() => masked.delete(place));
    const oldest = masked.keys().next().value;
    if (masked.size > KEPT && oldest !== undefined) masked.delete(oldest);
    return reading;
  }
  async function* search(query: string, signal: AbortSignal): AsyncGenerator<SearchPart> {
    const find = createFinder(query);
    if (find === undefined) return;
    let hits: [number, number][] = [];
    for (const place of places.keys()) {
      if (signal.aborted) return;
      const trace = await traceOf(place);
      if (trace !== undefined) {
        // Scanning is slow, so scan only runs that match before masking; masked text is not found.
        const whole = { transcript: createTranscript(trace).transcript, tools: toolsOf(trace) };
        const shown = amountIn(whole, find) > 0 ? await show(place) : undefined;
        const amount = shown === undefined ? 0 : amountIn(shown, find);
        if (amount > 0) hits.push([place, amount]);
      }
      if ((place + 1) % RUNS_A_PART === 0 || place === places.length - 1) {
        yield { hits, done: (place + 1) / places.length };
        hits = [];
      }
    }
  }
  return { transcript: async (place) => (await show(place))?.transcript, search };
}

function toolsOf({ steps }: ReasoningTrace): ServedRun['tools'] {
  return steps.map(({ tool }) => tool?.name);
}

function amountIn({ transcript, tools }: ServedRun, find: Finder): number {
  return findInTranscript(transcript, tools, find).length;
}
