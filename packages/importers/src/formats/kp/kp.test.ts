import { describe, expect, it } from 'bun:test';
import { importAll, importOne } from '../../../test/read.ts';
import type { ImportedTrace, Importer, ImportOptions } from '../../index.ts';

const RUN = {
  task_id: 't',
  messages: [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: 'gone' },
  ],
};

async function again(
  value: unknown,
  options: ImportOptions = {},
): Promise<ImportedTrace | undefined> {
  return (await importAll(JSON.stringify(value), options))[0];
}

describe('kp', () => {
  it('takes what names itself a trace for one, whatever other fields it has', async () => {
    const { trace } = await importOne(RUN, { assumeSuccess: true });
    const mixed = { ...trace, messages: RUN.messages, role: 'user', content: 'go' };
    const [item, ...others] = await importAll(JSON.stringify(mixed));
    expect(item).toMatchObject({ kind: 'trace', format: 'kp', trace: mixed });
    expect(others).toEqual([]);
  });

  it('leaves a trace to an importer of the caller that wants it', async () => {
    const { trace } = await importOne(RUN, { assumeSuccess: true });
    const mine: Importer = {
      name: 'mine',
      title: 'Traces, read another way',
      detect: () => ({ seen: 'anything', fit: 'possible' }),
      *read(value) {
        yield { source: {}, steps: [{ kind: 'thought', content: 'mine' }], record: value };
      },
    };
    expect(await again(trace, { importers: [mine] })).toMatchObject({ format: 'mine' });
  });

  it('tells functions of the caller which tools a trace used', async () => {
    const call = { step_id: 0, type: 'tool_call', tool: { name: 'search' } };
    const { trace } = await importOne(RUN, { assumeSuccess: true });
    const used = { ...trace, steps: [call, ...trace.steps] };
    const item = await again(used, { domain: ({ tools }) => tools.join() });
    expect(item).toMatchObject({ trace: { metadata: { task_domain: 'search' } } });
  });

  it('keeps what was assumed an assumption, however often it is written and read', async () => {
    const first = await importOne(RUN, { assumeSuccess: true });
    expect(first.provenance?.success).toBe('assumed');
    const second = await importOne(first.trace, { assumeSuccess: undefined });
    expect(second.trace).toEqual(first.trace);
    const third = await importOne(second.trace, { assumeSuccess: false });
    expect(third.trace.metadata.success).toBe(false);
    expect(third.provenance).toMatchObject({
      success: 'assumed',
      task: 't',
      format: 'openai-chat',
    });
    expect(third.trace['kp:provenance']).toEqual(third.provenance as never);
  });

  it('leaves a trace without a verdict without one, until something is known or assumed', async () => {
    const [unlabelled] = await importAll(JSON.stringify(RUN));
    if (unlabelled?.kind !== 'unlabelled') throw new Error('expected an unlabelled trace');
    expect(await again(unlabelled.trace)).toMatchObject({
      kind: 'unlabelled',
      provenance: { success: 'unknown' },
    });
    expect(await again(unlabelled.trace, { assumeSuccess: true })).toMatchObject({
      kind: 'trace',
      trace: { metadata: { success: true } },
      provenance: { success: 'assumed' },
    });
    // Someone put the field in and left the provenance as it was.
    const filled = {
      ...unlabelled.trace,
      metadata: { ...unlabelled.trace.metadata, success: true },
    };
    expect(await again(filled)).toMatchObject({
      kind: 'trace',
      provenance: { success: 'assumed' },
    });
  });

  it('carries grades, and takes labels and options like any other format', async () => {
    const graded = await importOne({ ...RUN, reward: 0.7 });
    expect((await importOne(graded.trace)).provenance).toMatchObject({
      success: 'graded',
      grade: 0.7,
      verdict: 'reward',
    });
    const labels = new Map([['t', { success: false, confidence: 0.9 }]]);
    const labelled = await importOne(graded.trace, { labels, domain: 'shop' });
    expect(labelled.trace).toMatchObject({
      metadata: { success: false, task_domain: 'shop' },
      outcome: { confidence: 0.9 },
    });
    expect(labelled.provenance).toMatchObject({
      success: 'labelled',
      confidence: 'given',
      domain: 'given',
    });
    expect(labelled.provenance).not.toHaveProperty('grade');
    const given = await importOne(graded.trace, { success: 'outcome.confidence>=0.9' });
    expect(given.provenance).toMatchObject({
      success: 'given',
      verdict: 'outcome.confidence>=0.9',
    });
  });

  it('judges a recorded grade anew where the caller says what passes, and else leaves it', async () => {
    const strict = await importOne({ ...RUN, reward: 0.7 }, { passAt: 0.9 });
    expect(strict.trace.metadata.success).toBe(false);
    expect((await importOne(strict.trace)).trace).toEqual(strict.trace);
    const lax = await importOne(strict.trace, { passAt: 0.6 });
    expect(lax.trace.metadata.success).toBe(true);
    expect(lax.provenance).toMatchObject({ success: 'graded', grade: 0.7, verdict: 'reward' });
  });

  it('leaves a trace of nobody as it is, and changes what the caller says alone', async () => {
    const first = await importOne(RUN, { assumeSuccess: true });
    const { 'kp:provenance': _, ...own } = first.trace;
    const untouched = await again(own);
    expect(untouched).toMatchObject({ kind: 'trace', trace: own });
    expect(untouched).not.toHaveProperty('trace.kp:provenance');
    const moved = await again(own, { domain: 'shop' });
    expect(moved).toMatchObject({
      trace: { metadata: { ...own.metadata, task_domain: 'shop' }, outcome: own.outcome },
      provenance: { format: 'kp', success: 'recorded', domain: 'given', confidence: 'recorded' },
    });
    const sure = await again(own, { confidence: 0.125 });
    expect(sure).toMatchObject({
      trace: { metadata: own.metadata, outcome: { ...own.outcome, confidence: 0.125 } },
      provenance: { domain: 'recorded', confidence: 'given' },
    });
  });

  it('hands what is no trace on as found, for validation to explain', async () => {
    const broken = { metadata: { success: 'yes' }, task: {}, steps: [], outcome: 3 };
    expect(await again(broken, { assumeSuccess: true })).toMatchObject({ trace: broken });
    const half = { task: {}, steps: [], outcome: {} };
    expect(await again(half, { format: 'kp' })).toMatchObject({ trace: half });
    const silent = { ...broken, metadata: {}, outcome: {} };
    expect(await again(silent, { assumeSuccess: true })).toMatchObject({ trace: silent });
  });

  it('keeps its domain where only its confidence is given, and shows its tools', async () => {
    const first = await importOne(
      {
        task_id: 't',
        messages: [
          { role: 'user', content: 'go' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: 'done' },
        ],
      },
      { assumeSuccess: true, domain: 'shop' },
    );
    const labels = new Map([['t', { confidence: 0.9 }]]);
    const labelled = await importOne(first.trace, { labels, assumeSuccess: undefined });
    expect(labelled.trace.outcome.confidence).toBe(0.9);
    expect(labelled.trace.metadata.task_domain).toBe('shop');
    const seen: unknown[] = [];
    await importOne(first.trace, {
      domain(facts) {
        seen.push(facts.tools);
        return 'shop';
      },
    });
    expect(seen).toEqual([['f']]);
  });
});
