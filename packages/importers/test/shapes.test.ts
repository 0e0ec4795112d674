import { describe, expect, it } from 'bun:test';
import { agents } from './shapes/agents.ts';
import { apis } from './shapes/apis.ts';
import { harnesses } from './shapes/harnesses.ts';
import { outlineOf } from './shapes/index.ts';
import { platforms } from './shapes/platforms.ts';
import { spans } from './shapes/spans.ts';

const all = Object.entries({ ...agents, ...harnesses, ...platforms, ...apis, ...spans });

describe('rare shapes of each format', () => {
  it.each(all.flatMap(([format, shapes]) => shapes.map((shape) => [format, ...shape] as const)))(
    'gives what was worked out by hand: %s, %s',
    async (_format, _name, recording, outline) => {
      expect(await outlineOf(recording)).toEqual([...outline]);
    },
  );
});
