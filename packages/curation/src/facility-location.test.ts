import { describe, expect, it } from 'bun:test';
import { TIE } from './cover-weights.ts';
import { type Cover, type GreedyOptions, selectGreedily } from './facility-location.ts';

/** A selection of runs whose gains a test says, and which gains were asked for. */
function select(gains: readonly number[], more: Partial<GreedyOptions> = {}) {
  const asked: number[] = [];
  const picked: number[] = [];
  const cover: Cover = {
    gainOf(place) {
      asked.push(place);
      return gains[place];
    },
    take: (place) => picked.push(place),
    value: () => 0,
    representatives: () => new Int32Array(),
  };
  selectGreedily(cover, gains.length, {
    k: 2,
    candidates: gains.keys(),
    leastGain: 0,
    isBarred: () => false,
    onPick: () => undefined,
    ...more,
  });
  // Each is asked once to begin with.
  expect(asked.slice(0, gains.length)).toEqual([...gains.keys()]);
  return { picked, again: asked.slice(gains.length) };
}

describe('selectGreedily', () => {
  it('asks again only what may still be the best', () => {
    expect(select([0.1, 0.5, 0.9])).toEqual({ picked: [2, 1], again: [2, 1] });
    // Of a gain that is a tie but for what is lost in adding up, both.
    const near = 0.5 - TIE - 9e-10;
    expect(select([near, 0.5], { k: 1 })).toEqual({ picked: [1], again: [1, 0] });
    const farther = 0.5 - TIE - 11e-10;
    expect(select([farther, 0.5], { k: 1 })).toEqual({ picked: [1], again: [1] });
  });

  it('takes the first of what is tied with the best', () => {
    expect(select([0.5 - TIE / 2, 0.5, 0.5], { k: 1 }).picked).toEqual([0]);
    expect(select([0.5 - 2 * TIE, 0.5, 0.5], { k: 1 }).picked).toEqual([1]);
  });

  it('ends where the gains are less than the least that is wanted', () => {
    expect(select([0.5, 0.25, 0.125], { k: 3, leastGain: 0.25 }).picked).toEqual([0, 1]);
    expect(select([0.5, 0.25], { k: 3, leastGain: 0.75 }).picked).toEqual([]);
    expect(select([], { k: 1 }).picked).toEqual([]);
  });

  it('passes over what is barred, and tells what each gained', () => {
    expect(select([0.5, 0.25, 0.125], { isBarred: (place) => place === 0 }).picked).toEqual([1, 2]);
    const picked: number[] = [];
    select([0.5, 0.25, 0.125], { onPick: (place, gain) => picked.push(place, gain) });
    expect(picked).toEqual([0, 0.5, 1, 0.25]);
  });
});
