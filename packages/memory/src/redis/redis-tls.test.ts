import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWith, redisNeed } from '@kp/testing/needs';
import { type Certificate, makeCertificate } from '../../test/certificate.ts';
import { failureOf } from '../../test/load.ts';
import { freePort } from '../../test/ports.ts';
import { startRedis, type TestServer } from '../../test/servers.ts';
import type { MemoryWarning } from '../log/options.ts';
import { openRedisMemory } from './open-redis-memory.ts';

const embedder = { id: 'test/2', dimensions: 2 };

async function warningsOf(url: string): Promise<string[]> {
  const warnings: MemoryWarning[] = [];
  const options = { embedder, timeoutMs: 100, onWarning: (w: MemoryWarning) => warnings.push(w) };
  await failureOf(openRedisMemory(url, options));
  return warnings
    .filter(({ code }) => code === 'MEMORY_NOT_ENCRYPTED')
    .map(({ message }) => message);
}

describe('a password for another machine', () => {
  it.each([
    ['redis://:pw@a.invalid', 'a.invalid'],
    ['redis://kp:pw@a.invalid:6380/0', 'a.invalid'],
    ['redis://:pw@[fd00::99]', 'fd00::99'],
  ])('causes a warning without TLS: %s', async (url, host) => {
    expect(await warningsOf(url)).toEqual([
      `redis: the password for ${host} and all data are sent without TLS; use rediss://`,
    ]);
  });

  it.each([
    'redis://a.invalid',
    'redis://kp@a.invalid',
    'rediss://:pw@a.invalid',
    'redis://:pw@localhost:1',
    'redis://:pw@127.0.0.1:1',
    'redis://:pw@[::1]:1',
  ])('causes no warning: %s', async (url) => {
    expect(await warningsOf(url)).toEqual([]);
  });
});

describeWith(redisNeed, 'a Redis with a self-signed certificate', () => {
  let server: TestServer;
  let files: Certificate;
  let url = '';
  beforeAll(async () => {
    files = await makeCertificate();
    const port = await freePort();
    url = `rediss://:pw@127.0.0.1:${port}`;
    server = await startRedis([
      ...['--tls-port', `${port}`, '--tls-cert-file', files.certificate],
      ...['--tls-key-file', files.key, '--tls-auth-clients', 'no', '--requirepass', 'pw'],
    ]);
  });
  afterAll(async () => {
    await server.remove();
    await rm(files.folder, { recursive: true });
  });
  /**
   * Opens the memory in a new process, because a process reads its trusted certificates when it
   * starts.
   */
  async function openWith(variables: Readonly<Record<string, string>>): Promise<string> {
    const script = `
      const { openRedisMemory } = await import(${JSON.stringify(join(import.meta.dir, 'open-redis-memory.ts'))});
      try {
        const memory = await openRedisMemory(${JSON.stringify(url)},
          { embedder: { id: 'a', dimensions: 2 }, timeoutMs: 30_000, onWarning: () => undefined });
        await memory.add(Float32Array.of(1, 0), 'a');
        console.log(await memory.size);
        await memory.close();
      } catch (error) { console.log(error.message); }`;
    const child = Bun.spawn([process.execPath, '-e', script], {
      env: { ...process.env, ...variables },
      stdout: 'pipe',
    });
    return (await new Response(child.stdout).text()).trim();
  }

  it('is accepted if the certificate is trusted, and rejected otherwise', async () => {
    expect(await openWith({ NODE_EXTRA_CA_CERTS: files.certificate })).toBe('1');
    const refused = await openWith({ NODE_EXTRA_CA_CERTS: '' });
    expect(refused).toMatch(
      /^redis: expected a certificate .* received self[- ]signed certificate;.*NODE_EXTRA_CA_CERTS/i,
    );
    expect(refused).not.toContain('pw@');
  });

  it('rejects connections without TLS', async () => {
    const { message } = await failureOf(
      openRedisMemory(url.replace('rediss', 'redis'), {
        embedder,
        timeoutMs: 500,
        onWarning: () => undefined,
      }),
    );
    expect(message).toContain('redis');
    expect(message).not.toContain('pw@');
  });
});
