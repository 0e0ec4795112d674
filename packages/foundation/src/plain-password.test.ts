import { describe, expect, it } from 'bun:test';
import { plainPasswordWarning } from './plain-password.ts';

const warn = (host: string | null | undefined, password: unknown = 'pw', isEncrypted = false) =>
  plainPasswordWarning({ host, password, isEncrypted }, 'use TLS');

describe('plainPasswordWarning', () => {
  it.each([
    ...['db.example', '10.0.0.5', '192.168.1.1', 'fd00::1', '[fd00::1]', 'db', '8.8.8.8'],
    ...['localhost.evil.example', '127.0.0.1.evil.example', '1270.0.0.1', '::ffff:10.0.0.1'],
    ...['host.docker.internal', 'my/localhost'],
  ])('warns of a password for %s', (host) => {
    expect(warn(host)).toBe(
      `the password for ${host.replace(/[[\]]/g, '')} and all data are sent without TLS; use TLS`,
    );
  });

  it.each([
    ...['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '127.1', '127.200.3.4', '::1'],
    ...['[::1]', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '0.0.0.0', '::', '/var/run/postgresql'],
    ...['@abstract', '', null, undefined],
  ])('does not warn for the local address %p', (host) => {
    expect(warn(host)).toBeUndefined();
  });

  it('does not warn without a password, or with TLS', () => {
    for (const password of [undefined, null, '']) {
      const server = { host: 'db', password, isEncrypted: false };
      expect(plainPasswordWarning(server, 'use TLS')).toBeUndefined();
    }
    expect(warn('db', 'pw', true)).toBeUndefined();
    // `pg` accepts a function that returns the password.
    expect(warn('db', () => 'pw')).toContain('without TLS');
  });
});
