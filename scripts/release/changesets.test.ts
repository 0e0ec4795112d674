import { describe, expect, it } from 'bun:test';
import { isRelease } from './changesets.ts';

describe('isRelease', () => {
  it('accepts a version that includes all changes', () => {
    expect(isRelease('0.1.0', '0.2.0', [])).toBe(true);
    expect(isRelease('0.1.0', '0.1.0', [])).toBe(false);
    expect(isRelease('0.1.0', '0.1.0', ['a.md'])).toBe(false);
  });

  it('rejects a version that omits changes', () => {
    expect(() => isRelease('0.1.0', '0.2.0', ['a.md', 'b.md'])).toThrow(
      'expected no change beside version 0.2.0, received a.md, b.md',
    );
  });
});
