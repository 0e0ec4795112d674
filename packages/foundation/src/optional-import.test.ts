import { describe, expect, it } from 'bun:test';
import { importOptional } from './optional-import.ts';

const optional = { packages: 'pg', neededFor: 'the Postgres memory' };

describe('importOptional', () => {
  it('returns what load returns', async () => {
    expect(await importOptional({ ...optional, load: async () => 'library' })).toBe('library');
  });

  it('says how to install a package that is missing', async () => {
    const load = (): Promise<unknown> => import('a-package-that-does-not-exist' as string);
    const failure = importOptional({ ...optional, load, alternative: 'use SQLite' });
    await expect(failure).rejects.toMatchObject({
      code: 'DEPENDENCY_MISSING',
      subject: 'pg',
      remedy: 'run npm install pg, or use SQLite',
    });
  });

  it('reports a package that is installed and fails as broken, with the cause', async () => {
    const cause = new Error('the native module was built for another platform');
    const load = (): Promise<unknown> => Promise.reject(cause);
    await expect(importOptional({ ...optional, load })).rejects.toMatchObject({
      code: 'DEPENDENCY_BROKEN',
      received: cause.message,
      cause,
    });
  });
});
