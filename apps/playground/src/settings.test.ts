import { describe, expect, it } from 'bun:test';
import {
  DEFAULT_SETTINGS,
  DOMAINS,
  profilesOf,
  readAddress,
  type Settings,
  writeAddress,
} from './settings.ts';

const CHOSEN: Settings = {
  domain: 'finance',
  parts: [1, 2, 3, 4],
  threshold: 0.7,
  picks: 5,
  duplicates: 0.8,
  verdict: 'failed',
  texts: false,
};

describe('the address', () => {
  it('omits default values', () => {
    expect(writeAddress(DEFAULT_SETTINGS, undefined)).toBe('#');
    expect(readAddress('')).toEqual({ settings: DEFAULT_SETTINGS, example: undefined });
  });

  it('restores the settings and the example', () => {
    const address = writeAddress(CHOSEN, 'code');
    expect(readAddress(address)).toEqual({ settings: CHOSEN, example: 'code' });
    expect(address).toStartWith('#example=code&domain=finance&weights=1+2+3+4');
  });

  it.each([
    '#domain=nosuch',
    '#weights=0 0 0 0',
    '#weights=1 2 3',
    '#weights=1 2 -3 4',
    '#weights=a b c d',
    '#threshold=2',
    '#threshold=',
    '#picks=1e9',
    '#duplicates=NaN',
    '#verdict=maybe',
    '#run=kp:trace:x',
    '#%E0%A4%A',
  ])('of %p is omitted', (hash) => {
    expect(readAddress(hash).settings).toEqual(DEFAULT_SETTINGS);
  });
});

it('converts parts to weights that sum to 1 for every domain', () => {
  const profiles = profilesOf(CHOSEN) ?? {};
  expect(Object.keys(profiles)).toEqual([...DOMAINS]);
  expect(profiles.default).toEqual({
    complexity: 0.1,
    novelty: 0.2,
    toolDiversity: 0.3,
    outcomeConfidence: 0.4,
  });
  expect(profilesOf(DEFAULT_SETTINGS)).toBeUndefined();
});
