import { describe, expect, it } from 'bun:test';
import { KnowledgePulseError } from './knowledge-pulse-error.ts';

const details = {
  name: 'OvenError',
  code: 'OVEN_COLD',
  subject: 'oven',
  expected: '200 °C',
  received: '20 °C',
};

describe('KnowledgePulseError', () => {
  it('builds its message from the details and keeps them as fields', () => {
    const error = new KnowledgePulseError({ ...details, remedy: 'switch it on' });
    expect(error.message).toBe('oven: expected 200 °C, received 20 °C; switch it on');
    expect(error).toMatchObject({ ...details, remedy: 'switch it on' });
    expect(new KnowledgePulseError(details).message).toBe('oven: expected 200 °C, received 20 °C');
  });

  it('has a cause only if one is given', () => {
    const cause = new Error('no current');
    expect(new KnowledgePulseError({ ...details, cause }).cause).toBe(cause);
    expect(Object.hasOwn(new KnowledgePulseError(details), 'cause')).toBe(false);
  });

  it('shows its own name in the stack, even if a bundler renamed the class', () => {
    class OvenError2 extends KnowledgePulseError {}
    const { stack } = new OvenError2(details);
    expect(stack?.split('\n', 1)[0]).toBe('OvenError: oven: expected 200 °C, received 20 °C');
  });
});
