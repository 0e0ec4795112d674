import { join } from 'node:path';
import { findNode } from '@kp/testing/node';
import { outputOf } from '@kp/testing/run-command';

export interface LocalRegistry {
  /** Environment variables with which npm uses this registry for our packages. */
  readonly env: Readonly<Record<string, string>>;
  /** The same settings as the text of an `.npmrc`. */
  readonly npmrc: string;
  close(): Promise<void>;
}

const SCOPES = ['@kp', '@knowledgepulse'];

/** Starts an empty verdaccio for our packages on a free local port, with its data in `folder`. */
export async function startLocalRegistry(folder: string): Promise<LocalRegistry> {
  const manifest = {
    private: true,
    dependencies: { verdaccio: '6.10.4' },
    // Pin this package: verdaccio's audit plugin uses a tag that some mirrors lack.
    overrides: { 'node-fetch': '2.7.0' },
  };
  await Bun.write(join(folder, 'package.json'), JSON.stringify(manifest));
  await outputOf([...NPM_INSTALL], { cwd: folder });

  const server = Bun.spawn([await findNode(), join(import.meta.dir, 'registry-server.mjs')], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const close = async (): Promise<void> => {
    server.kill();
    await server.exited;
  };
  const first = await server.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
  const port = Number.parseInt(first.value ?? '', 10);
  if (!Number.isInteger(port)) {
    await close();
    throw new Error(`verdaccio: expected it to print its port, received ${first.value}`);
  }
  const host = `127.0.0.1:${port}`;
  // npm requires a token to publish; this registry accepts any.
  const settings: Record<string, string> = { [`//${host}/:_authToken`]: 'anybody' };
  for (const scope of SCOPES) settings[`${scope}:registry`] = `http://${host}/`;
  const entries = Object.entries(settings);
  return {
    env: Object.fromEntries(entries.map(([name, value]) => [`npm_config_${name}`, value])),
    npmrc: entries.map(([name, value]) => `${name}=${value}\n`).join(''),
    close,
  };
}

/** An npm install without audits, funding messages and install scripts. */
export const NPM_INSTALL: readonly string[] = [
  ...['npm', 'install', '--ignore-scripts'],
  ...['--no-audit', '--no-fund', '--loglevel=error'],
];
