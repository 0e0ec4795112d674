import { describe, expect, it } from 'bun:test';
import { loadLibrary } from './load-library.ts';

describe('loadLibrary', () => {
  it('gives the library', async () => {
    expect(await loadLibrary('text', 'node:path', () => import('node:path'))).toHaveProperty(
      'join',
    );
  });

  it('says what to install where it is absent, without paths of this machine', async () => {
    const absent = 'no-such-library';
    expect(loadLibrary('zstd data', absent, () => import(absent))).rejects.toMatchObject({
      code: 'MISSING_LIBRARY',
      message:
        'zstd data: expected the library no-such-library, received none that is installed; install it, for instance with: npm install no-such-library',
    });
  });

  it('says what is wrong with one that does not load', async () => {
    const broken = Promise.reject(new Error('bad ELF header'));
    expect(loadLibrary('zstd data', 'fzstd', () => broken)).rejects.toThrow(
      'received bad ELF header; install it',
    );
  });
});
