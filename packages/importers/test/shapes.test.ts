import { describe, expect, it } from 'bun:test';
import * as agents from './shapes/agents.ts';
import * as apis from './shapes/apis.ts';
import * as harnesses from './shapes/harnesses.ts';
import { outlineOf } from './shapes/index.ts';
import * as platforms from './shapes/platforms.ts';
import * as spans from './shapes/spans.ts';

const all = Object.entries({ ...agents, ...harnesses, ...platforms, ...apis, ...spans });

describe('rare shapes of each format', () => {
  it.each(all.flatMap(([format, shapes]) => shapes.map((shape) => [format, ...shape] as const)))(
    'gives what was worked out by hand: %s, %s',
    async (_format, _name, recording, outline) => {
      expect(await outlineOf(recording)).toEqual([...outline]);
    },
  );
});
