import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { createTrace } from '@knowledgepulse/sdk';
import { messageOf } from '@kp/foundation';
import { PROVENANCE_KEY, readProvenance } from '@kp/importers';
import { useFolder } from '@kp/testing/folder';
import { examples } from '../../test/run-kp.ts';
import { readGivenRun } from './given-run.ts';

const folder = useFolder('kp-given-run-');

it('limits how much of the input it quotes', async () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: 'Gone.' },
  ];
  const refused = await readGivenRun({ messages, id: 'x'.repeat(250_000) }, []).catch(
    (error: Error) => error,
  );
  expect(refused).toMatchObject({ code: 'RUN_UNUSABLE' });
  expect((refused as Error).message).toMatch(/^run: expected x{1986}…$/);
});

const trace = createTrace({
  objective: 'Go.',
  steps: [{ type: 'thought', content: 'Gone.' }],
  success: false,
  confidence: 0.9,
});

it('records in the provenance which fields of a complete trace are given', async () => {
  const read = await readGivenRun({ trace, objective: 'Come.', success: true }, []);
  expect(read.successFrom).toBe('given');
  expect(read.trace).toMatchObject({
    id: trace.id,
    task: { objective: 'Come.' },
    steps: trace.steps,
    metadata: { success: true, task_domain: 'default' },
    outcome: { confidence: 0.9 },
  });
  expect(readProvenance(read.trace)).toMatchObject({
    success: 'given',
    objective: 'given',
    confidence: 'recorded',
    domain: 'recorded',
  });
});

it('keeps a success that an earlier import assumed', async () => {
  const imported = { ...trace, [PROVENANCE_KEY]: { success: 'assumed' } };
  const read = await readGivenRun({ trace: imported }, []);
  expect([read.trace.metadata.success, read.successFrom]).toEqual([false, 'assumed']);
});

it('reads a complete trace without its type', async () => {
  const { '@type': _, ...untyped } = trace;
  const read = await readGivenRun({ trace: untyped }, []);
  expect([read.trace.id, read.successFrom]).toEqual([trace.id, 'recorded']);
});

it('reads no recording for a cancelled request', async () => {
  const reason = new Error('cancelled');
  const path = join(examples, 'code.jsonl');
  const reading = readGivenRun({ path }, [examples], AbortSignal.abort(reason));
  await expect(reading).rejects.toBe(reason);
});

it('reads a file in a folder whose name begins with two dots', async () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: 'Gone.' },
  ];
  await Bun.write(join(folder, '..old', 'run.json'), JSON.stringify(messages));
  const read = await readGivenRun({ path: '..old/run.json' }, [folder]);
  expect(read.trace.task.objective).toBe('Go.');
});

describe('a recording of which a part cannot be read', () => {
  const whole = (question: string) => ({
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: 'At noon.' },
    ],
  });

  it('is refused, and names the runs that can be read', async () => {
    const lines = [JSON.stringify(whole('When?')), JSON.stringify(whole('Where?')).slice(0, 60)];
    await Bun.write(join(folder, 'cut.jsonl'), lines.join('\n'));
    const refused = await readGivenRun({ path: 'cut.jsonl' }, [folder]).catch(messageOf);
    expect(refused).toMatch(/^run: expected a recording without errors, or the id of kp:trace:/);
    const [id] = /kp:trace:\S+(?=,)/.exec(refused as string) ?? [];
    const { trace: read } = await readGivenRun({ path: 'cut.jsonl', id }, [folder]);
    expect(read.task.objective).toBe('When?');
  });
});
