import { describe, expect, it } from 'bun:test';
import { isWithin, readArea, toMap, toPicture, WHOLE_MAP, writeArea, zoomAt } from './map-view.ts';

const frame = { width: 800, height: 400, margin: 20 };

describe('zoomAt', () => {
  it('keeps the place under the pointer fixed, and stops at the whole map', () => {
    const place = [0.2, 0.7] as const;
    const closer = zoomAt(WHOLE_MAP, place, 4);
    const before = toPicture(place, WHOLE_MAP, frame);
    expect(toPicture(place, closer, frame).map(Math.round)).toEqual(before.map(Math.round));
    expect(zoomAt(closer, place, 0.01)).toEqual(WHOLE_MAP);
    const [x, y] = toMap(toPicture(place, closer, frame), closer, frame);
    expect([x, y].map((each) => each.toFixed(6))).toEqual(['0.200000', '0.700000']);
  });
});

describe('isWithin', () => {
  it('detects points inside a concave polygon', () => {
    const shape = [
      [0, 0],
      [4, 0],
      [4, 4],
      [2, 1],
      [0, 4],
    ] as const;
    expect(isWithin([0.5, 1], shape)).toBe(true);
    expect(isWithin([2, 3], shape)).toBe(false);
    expect(isWithin([9, 1], shape)).toBe(false);
  });
});

describe('readArea', () => {
  it('reads a written area, and rejects other texts', () => {
    const line = Array.from({ length: 200 }, (_, at) => [at / 200, (at % 7) / 7] as const);
    const area = readArea(writeArea(line) ?? null);
    expect(area?.length).toBeLessThanOrEqual(60);
    expect(area?.[0]).toEqual([0, 0]);
    expect(writeArea(line.slice(0, 2))).toBeUndefined();
    for (const text of [null, '', '1,2 3', 'a,b c,d e,f', '1,1 2,2']) {
      expect(readArea(text)).toBeUndefined();
    }
  });
});
