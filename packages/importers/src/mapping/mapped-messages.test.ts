import { describe, expect, it } from 'bun:test';
import { outlineOf } from '../contract/outline.ts';
import { createMappedImporter } from './mapped-importer.ts';
import type { Mapping } from './mapping.ts';

const MAPPING: Mapping = {
  messages: 'log',
  role: 'who',
  content: 'text',
  thinking: 'why',
  calls: { at: 'does', name: 'fn', arguments: 'with' },
};
const asked = { who: 'user', text: 'Go.' };
const answered = { who: 'bot', text: 'Done.' };

async function outline(
  log: readonly unknown[],
  mapping: Partial<Mapping> = {},
  fields: object = {},
): Promise<string[]> {
  const importer = createMappedImporter({ ...MAPPING, ...mapping });
  const options = { importers: [importer], format: importer.name };
  const lines = await outlineOf(JSON.stringify({ log, ...fields }), options);
  return lines.filter((line) => !/^(?:framework|source \{\})/.test(line));
}

describe('a mapped message without a usable speaker', () => {
  const LONG = 'x'.repeat(41);

  it.each([null, undefined, LONG, true, {}])('%j is an observation', async (who) => {
    expect(await outline([asked, { who, text: 'Heard.' }, answered])).toEqual([
      'asked Go.',
      'observation Heard.',
      'thought Done.',
      'step 0: unknown',
    ]);
  });

  it('is the agent if it has calls', async () => {
    const call = { text: 'I look.', does: { fn: 'look', with: { at: 'sky' } } };
    expect(await outline([asked, call, answered])).toEqual([
      'asked Go.',
      'thought I look.',
      'tool_call look {"at":"sky"}',
      'thought Done.',
    ]);
  });

  it('is counted if nothing in it is readable', async () => {
    const results = { at: 'got', content: 'out' };
    const log = [
      asked,
      { event: 'tick' },
      null,
      { why: 'Because.' },
      { got: [{ out: 'Rain.' }] },
      answered,
    ];
    expect(await outline(log, { results })).toEqual([
      'asked Go.',
      'thought Because.',
      'observation Rain.',
      'thought Done.',
      'omitted {"message_without_speaker":2}',
    ]);
  });

  it('does not make a run', async () => {
    expect(await outline([{ text: 'Heard.' }])).toEqual([
      expect.stringContaining('expected a recording of the format mapped'),
    ]);
  });

  it('may be a number that the mapping names', async () => {
    const log = [
      { who: 0, text: 'Go.' },
      { who: 1, text: 'Done.' },
      { who: 2, text: 'Thanks.' },
    ];
    expect(await outline(log, { roles: { 0: 'user', 1: 'assistant' } })).toEqual([
      'asked Go.',
      'thought Done.',
      'observation Thanks.',
      'step 1: 2',
    ]);
  });
});

describe('a mapped message of a tool', () => {
  const own = { who: 'tool', text: 'Rain.' };

  it.each([
    ['the field of its result', { content: 'out' }, own],
    ['the field of its result, which is null', { content: 'out' }, { ...own, out: null }],
    ['a list of results', { at: 'got', content: 'out' }, own],
    ['a result in its list', { at: 'got', content: 'out' }, { ...own, got: [] }],
    ['its own result', { at: '$', content: 'out' }, own],
  ])('is a result with its text without %s', async (_name, results, message) => {
    expect(await outline([asked, message, answered], { results })).toEqual([
      'asked Go.',
      'observation Rain.',
      'thought Done.',
    ]);
  });

  it('is not a result besides those that it holds', async () => {
    const results = { at: 'got', content: 'out' };
    const message = { ...own, got: [{ out: 'Sun.' }, { out: 'Wind.' }] };
    expect(await outline([asked, message, answered], { results })).toEqual([
      'asked Go.',
      'observation Sun.',
      'observation Wind.',
      'thought Done.',
    ]);
  });
});

describe('an id in a mapped recording', () => {
  const names = { id: 'ident', task: 'job' };

  it.each([
    [2 ** 60, []],
    [2 ** 53, []],
    [2 ** 53 - 1, ['source {"id":9007199254740991}', 'task 9007199254740991']],
    ['12345678901234567890', ['source {"id":"12345678901234567890"}', 'task 12345678901234567890']],
  ])('%p names the run only if it is exact', async (id, facts) => {
    const lines = await outline([asked, answered], names, { ident: id, job: id });
    expect(lines.filter((line) => /^(?:source|task) /.test(line))).toEqual(facts);
  });
});
