import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import type { JsonValue } from './json/json-value.ts';
import type { Provenance } from './provenance.ts';
import { readProvenance } from './read-provenance.ts';

const written: Provenance = {
  format: 'tau2',
  source: { task_id: 3, trial: '0' },
  success: 'graded',
  grade: 0.65,
  verdict: 'reward',
  verdict_choices: ['a', 'b'],
  task: 'airline/3',
  model: 'gpt-4o',
  confidence: 'assumed',
  domain: 'given',
  objective: 'recorded',
  created_at: 'assumed_utc',
  derived: [
    {
      step_id: 4,
      field: 'type',
      value: 'error_recovery',
      recorded_as: 'thought',
      from: [3],
      signs: ['flag'],
    },
    { step_id: 5, field: 'content', value: 'verdict_removed' },
  ],
  stripped: { instructions: 1 },
  shell_tools: 'by_command',
  parent: { session: 'x' },
  ending: 'interrupted',
  omitted: { image: 2 },
};

describe('readProvenance', () => {
  it('gives back what was written', () => {
    expect(readProvenance(JSON.parse(JSON.stringify(written)))).toEqual(written);
  });

  it('leaves out each field that is not what it should be', () => {
    const wrong = { a: [1] };
    for (const name of Object.keys(written)) {
      const read = readProvenance({
        ...(written as unknown as Record<string, JsonValue>),
        [name]: wrong,
      });
      if (['format', 'source', 'success'].includes(name)) expect(read).toBeUndefined();
      else if (['confidence', 'domain', 'objective', 'created_at'].includes(name)) {
        expect(Reflect.get(read ?? {}, name)).toBe('recorded');
      } else if (name === 'derived') expect(read?.derived).toEqual([]);
      else expect(read).not.toHaveProperty(name);
    }
  });

  it('takes recoveries of which an earlier version wrote no sign', () => {
    const { signs: _, ...unsigned } = written.derived[0] as unknown as Record<string, JsonValue>;
    const read = readProvenance({ ...(written as object), derived: [unsigned, 3, {}] } as never);
    expect(read?.derived).toEqual([{ ...unsigned, signs: [] }] as never);
  });

  it('never throws', () => {
    const fields = fc.dictionary(fc.constantFrom(...Object.keys(written)), fc.jsonValue());
    fc.assert(
      fc.property(fields, (found) => {
        readProvenance({ format: 'x', source: {}, success: 'given', ...found } as JsonValue);
      }),
    );
  });
});
