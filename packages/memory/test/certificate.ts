import { chmod, chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate for 127.0.0.1 and localhost, and its key. */
export interface Certificate {
  readonly folder: string;
  readonly certificate: string;
  readonly key: string;
}

/**
 * Creates a certificate with a key that the servers of the tests can read, also as the user
 * postgres.
 */
export async function makeCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-certificate-'));
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const made = Bun.spawnSync([
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    ...['-nodes', '-days', '2', '-subj', '/CN=localhost', '-keyout', key, '-out', certificate],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
  ]);
  if (made.exitCode !== 0) throw new Error(`openssl: ${made.stderr.toString()}`);
  await chmod(folder, 0o755);
  await chmod(key, 0o600);
  if (process.getuid?.() === 0) {
    const uid = Number(Bun.spawnSync(['id', '-u', 'postgres']).stdout.toString());
    await chown(key, uid, uid);
  }
  return { folder, certificate, key };
}
