import { afterAll, afterEach, beforeAll, describe, expect, it } from 'bun:test';
import { rm } from 'node:fs/promises';
import { describeWith, postgresNeed } from '@kp/testing/needs';
import { type Certificate, makeCertificate } from '../../test/certificate.ts';
import { failureOf } from '../../test/load.ts';
import { startPostgres, type TestServer } from '../../test/servers.ts';
import type { MemoryWarning } from '../log/options.ts';
import { openPostgresMemory } from './open-postgres-memory.ts';

const embedder = { id: 'test/2', dimensions: 2 };
const VARIABLES = ['PGPASSWORD', 'PGHOST', 'PGSSLMODE', 'PGPASSFILE'];
const before = VARIABLES.map((name) => [name, process.env[name]] as const);
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** Returns the warnings about encryption for a memory that cannot be opened. */
async function warningsOf(
  url: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  Object.assign(process.env, variables);
  const warnings: MemoryWarning[] = [];
  const options = { embedder, timeoutMs: 200, onWarning: (w: MemoryWarning) => warnings.push(w) };
  await failureOf(openPostgresMemory(url, options));
  return warnings
    .filter(({ code }) => code === 'MEMORY_NOT_ENCRYPTED')
    .map(({ message }) => message);
}
const warningFor = (host: string): string =>
  `postgres: the password for ${host} and all data are sent without TLS; add sslmode=verify-full to the URL`;

describe('a password for another machine', () => {
  const a = 'a.invalid';
  it.each([
    ['postgres://kp:pw@a.invalid/kp', {}, [a]],
    ['postgres://kp:pw@a.invalid/kp?sslmode=disable', {}, [a]],
    ['postgres://kp@a.invalid/kp?password=pw', {}, [a]],
    ['postgres://kp@a.invalid/kp', { PGPASSWORD: 'pw' }, [a]],
    ['postgres://kp:pw@/kp', { PGHOST: a }, [a]],
    ['postgres://kp:pw@/kp?host=a.invalid', {}, [a]],
    ['postgres://kp:pw@a.invalid/kp?sslmode=disable', { PGSSLMODE: 'require' }, [a]],
    ['postgres://kp:pw@a.invalid,b.invalid/kp', {}, [a, 'b.invalid']],
    ['postgres://kp:pw@127.0.0.1:1,b.invalid/kp', {}, ['b.invalid']],
  ])('causes one warning per host without TLS: %s %j', async (url, variables, hosts) => {
    expect(await warningsOf(url, variables)).toEqual(hosts.map(warningFor));
  });

  it.each([
    ['postgres://kp@a.invalid/kp', {}],
    ['postgres://kp:pw@127.0.0.1:1/kp', {}],
    ['postgres://kp:pw@localhost:1/kp', {}],
    ['postgres://kp:pw@[::1]:1/kp', {}],
    ['postgres://kp:pw@%2Fvar%2Frun%2Fnowhere/kp', {}],
    ['postgres://kp:pw@/kp?host=/var/run/nowhere', {}],
    ['postgres://kp:pw@/kp', { PGHOST: '/var/run/nowhere' }],
    ['postgres://kp:pw@a.invalid/kp', { PGSSLMODE: 'verify-full' }],
    ['postgres://kp:pw@a.invalid/kp?ssl=true', {}],
    // `pg` never continues without TLS with any of these.
    ...['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'].map(
      (mode) => [`postgres://kp:pw@a.invalid/kp?sslmode=${mode}`, {}] as const,
    ),
    ['postgres://kp:pw@a.invalid/kp?uselibpqcompat=true&sslmode=prefer', {}],
  ])('causes no warning: %s %j', async (url, variables) => {
    expect(await warningsOf(url, variables)).toEqual([]);
  });

  it('is reported to console.warn without a listener, or if it throws', async () => {
    const script = `
      const { openPostgresMemory } = await import(${JSON.stringify(`${import.meta.dir}/open-postgres-memory.ts`)});
      for (const onWarning of [undefined, () => { throw new Error('no'); }, async () => { throw new Error('no'); }]) {
        await openPostgresMemory('postgres://kp:pw@a.invalid/kp',
          { embedder: { id: 'a', dimensions: 2 }, timeoutMs: 100, onWarning }).catch(() => undefined);
      }`;
    const child = Bun.spawn([process.execPath, '-e', script], { stderr: 'pipe' });
    const errors = await new Response(child.stderr).text();
    expect(errors.split(`[@kp/memory] ${warningFor('a.invalid')}`)).toHaveLength(4);
    expect(errors).not.toContain(':pw');
    expect(await child.exited).toBe(0);
  });
});

describeWith(postgresNeed, 'a Postgres with a self-signed certificate', () => {
  let server: TestServer;
  let files: Certificate;
  beforeAll(async () => {
    files = await makeCertificate();
    server = await startPostgres([
      ...['ssl=on', `ssl_cert_file=${files.certificate}`, `ssl_key_file=${files.key}`],
    ]);
  });
  afterAll(async () => {
    await server.remove();
    await rm(files.folder, { recursive: true });
  });
  const url = (query: string): string => `${server.url.replace('kp@', 'kp:pw@')}?${query}`;
  const open = async (query: string) => {
    const options = { embedder, timeoutMs: 30_000, onWarning: () => undefined };
    const memory = await openPostgresMemory(url(query), options);
    await memory.add(Float32Array.of(1, 0), query);
    await memory.close();
  };

  it('is accepted if the URL names the certificate or disables the check', async () => {
    const named = `sslmode=verify-full&sslrootcert=${encodeURIComponent(files.certificate)}`;
    for (const query of [named, 'sslmode=no-verify', 'sslmode=disable']) {
      await expect(open(query)).resolves.toBeUndefined();
    }
  });

  it('is rejected with a reason if the certificate is not trusted', async () => {
    for (const mode of ['verify-full', 'require', 'prefer']) {
      const { message } = await failureOf(open(`sslmode=${mode}`));
      expect(message).toMatch(/self[- ]signed certificate/i);
      expect(message).not.toContain('pw@');
    }
  });

  it('is rejected without TLS if the URL requires it', async () => {
    const plain = await startPostgres();
    try {
      const options = { embedder, timeoutMs: 1000, onWarning: () => undefined };
      const failure = await failureOf(openPostgresMemory(`${plain.url}?sslmode=require`, options));
      expect(failure.message).toContain('does not support SSL');
    } finally {
      await plain.remove();
    }
  });
});
