import { DIMENSIONS, DOMAIN_PROFILES, type ScoringWeights } from '@knowledgepulse/sdk';

/** What a person can set. It stands in the address; what was dropped never does. */
export interface Settings {
  /** The domain of all runs; empty: each its own. */
  readonly domain: string;
  /** Weights of one's own, in parts of their sum; undefined: those of each run's domain. */
  readonly parts: Parts | undefined;
  /** A score of this or more counts as good, in [0, 1]. */
  readonly threshold: number;
  /** How many runs to name for reading. */
  readonly picks: number;
  /** Runs more alike than this repeat each other, in [0, 1]. */
  readonly duplicates: number;
  /** What a run counts as of which nothing says whether it succeeded. */
  readonly verdict: 'succeeded' | 'failed';
  /** Whether the page shows what was said and done. */
  readonly texts: boolean;
}

/** Of each dimension, in the order of `DIMENSIONS`. */
export type Parts = readonly [number, number, number, number];

export const DEFAULT_SETTINGS: Settings = {
  domain: '',
  parts: undefined,
  threshold: 0.5,
  picks: 10,
  duplicates: 0.95,
  verdict: 'succeeded',
  texts: true,
};

export const DOMAINS: readonly string[] = [...DOMAIN_PROFILES.keys()];
export const MOST_PICKS = 100;
const MOST_PART = 1000;

/** Settings and example of an address such as `#example=code&picks=5`; what is no setting is left out. */
export function readAddress(hash: string): { settings: Settings; example: string | undefined } {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const number = (name: string, most: number, otherwise: number): number => {
    const text = given.get(name);
    const value = Number(text);
    return text !== null && text !== '' && value >= 0 && value <= most ? value : otherwise;
  };
  const domain = given.get('domain') ?? '';
  return {
    settings: {
      domain: DOMAINS.includes(domain) ? domain : '',
      parts: readParts(given.get('weights') ?? ''),
      threshold: number('threshold', 1, DEFAULT_SETTINGS.threshold),
      picks: Math.max(1, Math.floor(number('picks', MOST_PICKS, DEFAULT_SETTINGS.picks))),
      duplicates: number('duplicates', 1, DEFAULT_SETTINGS.duplicates),
      verdict: given.get('verdict') === 'failed' ? 'failed' : 'succeeded',
      texts: given.get('texts') !== 'no',
    },
    example: given.get('example') ?? undefined,
  };
}

/** The address of these settings: only what is not as it is by default. */
export function writeAddress(settings: Settings, example: string | undefined): string {
  const written = new URLSearchParams();
  if (example !== undefined) written.set('example', example);
  if (settings.domain !== '') written.set('domain', settings.domain);
  if (settings.parts !== undefined) written.set('weights', settings.parts.join(' '));
  for (const name of ['threshold', 'picks', 'duplicates', 'verdict'] as const) {
    if (settings[name] !== DEFAULT_SETTINGS[name]) written.set(name, String(settings[name]));
  }
  if (!settings.texts) written.set('texts', 'no');
  return `#${written}`;
}

/** Weights of one's own for every domain; undefined for those that come with it. */
export function profilesOf({ parts }: Settings): Record<string, ScoringWeights> | undefined {
  if (parts === undefined) return undefined;
  const sum = parts.reduce((total, part) => total + part, 0);
  const weights = Object.fromEntries(
    DIMENSIONS.map(({ name }, place) => [name, (parts[place] ?? 0) / sum]),
  ) as unknown as ScoringWeights;
  return Object.fromEntries(DOMAINS.map((domain) => [domain, weights]));
}

/** Four parts that are not all 0; undefined for anything else. */
function readParts(text: string): Parts | undefined {
  const parts = text.split(' ').map(Number);
  const isUsable = parts.length === 4 && parts.every((part) => part >= 0 && part <= MOST_PART);
  return isUsable && parts.some((part) => part > 0) ? (parts as unknown as Parts) : undefined;
}
