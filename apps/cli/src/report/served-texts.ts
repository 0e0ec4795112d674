import type { ReasoningTrace } from '@knowledgepulse/sdk';
import {
  createFinder,
  createTranscript,
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

const RUNS_A_PART = 50;
const KEPT = 8;

/** Reads, masks and searches the texts of runs on request. */
export function createServedTexts(options: ServedTextsOptions): Omit<ServedReport, 'html'> {
  const { spill, places, mask, redact: patterns } = options;
  const masked = new Map<number, Promise<RunTranscript | undefined>>();

  async function traceOf(place: number): Promise<ReasoningTrace | undefined> {
    const spilled = places[place];
    return spilled === undefined ? undefined : JSON.parse(await spill.read(spilled));
  }
  async function read(place: number): Promise<RunTranscript | undefined> {
    const trace = await traceOf(place);
    const shown = trace === undefined ? undefined : await mask.mask(trace);
    if (shown === undefined) return undefined;
    return createTranscript(shown, { clean: (text) => redact(text, patterns) }).transcript;
  }
  function transcript(place: number): Promise<RunTranscript | undefined> {
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
        const tools = trace.steps.map(({ tool }) => tool?.name);
        // Scanning is slow, so scan only runs that match before masking; masked text is not found.
        const whole = createTranscript(trace).transcript;
        const isPossible = findInTranscript(whole, tools, find).length > 0;
        const shown = isPossible ? await transcript(place) : undefined;
        const amount = shown === undefined ? 0 : findInTranscript(shown, tools, find).length;
        if (amount > 0) hits.push([place, amount]);
      }
      if ((place + 1) % RUNS_A_PART === 0 || place === places.length - 1) {
        yield { hits, done: (place + 1) / places.length };
        hits = [];
      }
    }
  }
  return { transcript, search };
}
