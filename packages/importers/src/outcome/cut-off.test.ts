import { describe, expect, it } from 'bun:test';
import { importOne } from '../../test/read.ts';
import { isCutOff } from './cut-off.ts';

/** Looks at events that open (O), close (C) or neither (other letters). */
function check(letters: string): boolean {
  const events = [...letters].map((type) => ({ type }));
  return isCutOff(
    events,
    ({ type }) => type === 'O',
    ({ type }) => type === 'C',
  );
}

describe('a stream that is cut off', () => {
  it.each(['O', 'Oxx', 'OCO', 'OCxOx'])('is %p', (letters) => expect(check(letters)).toBe(true));

  it.each(['', 'x', 'xC', 'OxC', 'OCx', 'OCOC'])('is not %p', (letters) => {
    expect(check(letters)).toBe(false);
  });

  it('is not assumed to have succeeded', async () => {
    const item = { id: 'i0', type: 'agent_message', text: 'I look.' };
    const events = [{ type: 'turn.started' }, { type: 'item.completed', item }];
    const options = { assumeSuccess: true };
    const { trace, provenance } = await importOne(events, options);
    expect(provenance).toMatchObject({ success: 'assumed', ending: 'unfinished' });
    expect(trace.metadata.success).toBe(false);
    const whole = await importOne([...events, { type: 'turn.completed' }], options);
    expect(whole.trace.metadata.success).toBe(true);
  });
});
