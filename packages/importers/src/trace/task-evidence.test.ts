import { describe, expect, it } from 'bun:test';
import type { JsonValue } from '../json/json-value.ts';
import { taskEvidence } from './task-evidence.ts';

const of = (record: JsonValue) => taskEvidence({ source: {}, steps: [], record });
const system = (content: JsonValue) => ({ messages: [{ role: 'system', content }] });

describe('taskEvidence', () => {
  it('is equal for runs with the same system prompt and tools on any date', async () => {
    const monday = await of(system('You serve customers. Today is 2026-01-05.'));
    expect(monday.setting).toMatch(/^[0-9a-f]{16}$/);
    expect(await of(system('You serve  customers. Today is 2026-01-06.'))).toEqual(monday);
    expect(await of(system('You fly planes.'))).not.toEqual(monday);
    const tools = (...names: string[]) => ({
      tools: names.map((name) => ({ function: { name } })),
    });
    expect(await of(tools('a', 'b'))).toEqual(await of(tools('b', 'a')));
    expect(await of(tools('a', 'b'))).not.toEqual(await of(tools('a', 'c')));
  });

  it.each([
    [{ info: { task: { instruction: 'Cancel it' } } }],
    [{ instruction: 'Cancel it' }],
    [{ problem_statement: 'Cancel it' }],
  ])('hashes the instructions in %j', async (record) => {
    expect(await of(record)).toEqual(await of({ task: { instruction: 'Cancel it' } }));
    expect((await of(record)).setting).toBeUndefined();
  });

  it.each([[null], ['text'], [{}], [[]], [{ messages: 3, tools: [null] }], [{ messages: [null] }]])(
    'is empty for %j',
    async (record) => expect(await of(record)).toEqual({}),
  );

  it('finds system prompts in other places', async () => {
    const records: JsonValue[] = [
      [{ role: 'system', content: 'x' }],
      { request: { system: 'x', messages: [{ role: 'user', content: 'hi' }] } },
      { conversations: [{ from: 'system', value: 'x' }] },
      { instructions: 'x' },
    ];
    for (const record of records) {
      expect((await of(record)).setting).toBe((await of(system('x'))).setting);
    }
  });
});
