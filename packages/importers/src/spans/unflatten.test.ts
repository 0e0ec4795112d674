import { describe, expect, it } from 'bun:test';
import { unflatten } from './unflatten.ts';

describe('unflatten', () => {
  it('restores arrays from flattened attributes', () => {
    const flat = {
      'p.0.role': 'user',
      'p.10.role': 'last',
      'p.2.calls.1.name': 'g',
      'p.2.calls.0.name': 'f',
      'p.2.calls.0.name.more': 'lost',
      'p.2.mixed.0': 'a',
      'p.2.mixed.x': 'b',
      'p.9': 'text',
      'p.x.role': 'no number',
      'pp.0': 'another',
      p: 'itself',
    };
    expect(unflatten(flat, 'p')).toEqual([
      { role: 'user' },
      { calls: [{ name: { more: 'lost' } }, { name: 'g' }], mixed: { 0: 'a', x: 'b' } },
      'text',
      { role: 'last' },
    ]);
  });

  it('handles names such as __proto__', () => {
    const found = unflatten({ 'p.0.__proto__.x': 1, 'p.0.a': 2 }, 'p');
    expect(Object.keys(found[0] as object)).toEqual(['__proto__', 'a']);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
