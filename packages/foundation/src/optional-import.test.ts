import { describe, expect, it } from 'bun:test';
import { importOptional } from './optional-import.ts';

const optional = { packages: 'pg', neededFor: 'the Postgres memory' };

describe('importOptional', () => {
  it('returns the result of load', async () => {
    expect(await importOptional({ ...optional, load: async () => 'library' })).toBe('library');
  });

  const missing = 'a-package-that-does-not-exist';
  const loadMissing = (): Promise<unknown> => import(`${missing}/part`);

  it('tells how to install a missing package', async () => {
    const packages = `pg ${missing}`;
    const alternative = 'use SQLite';
    const failure = importOptional({ ...optional, packages, load: loadMissing, alternative });
    await expect(failure).rejects.toMatchObject({
      code: 'DEPENDENCY_MISSING',
      subject: packages,
      remedy: `run npm install ${packages}, or use SQLite`,
    });
  });

  it('reports a package with a missing dependency as broken', async () => {
    const failure = importOptional({ ...optional, load: loadMissing });
    await expect(failure).rejects.toMatchObject({ code: 'DEPENDENCY_BROKEN', subject: 'pg' });
  });

  it('reports an installed package that fails as broken, with the cause', async () => {
    const cause = new Error('the native module was built for another platform');
    const load = (): Promise<unknown> => Promise.reject(cause);
    await expect(importOptional({ ...optional, load })).rejects.toMatchObject({
      code: 'DEPENDENCY_BROKEN',
      received: cause.message,
      cause,
    });
  });
});
