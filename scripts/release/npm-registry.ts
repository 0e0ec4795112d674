import { dirname } from 'node:path';
import { outputOf, runCommand } from '../../integration/run-command.ts';
import type { Registry } from './publish.ts';

export interface NpmRegistryOptions {
  /** Signs where and from what each package was built. Wants GitHub Actions with `id-token: write`. */
  readonly provenance: boolean;
  /** Wanted for names that are new in the registry; later it trusts the workflow itself. */
  readonly token?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** The registry that npm is set up for, asked through npm. */
export function createNpmRegistry({ provenance, token, env = {} }: NpmRegistryOptions): Registry {
  return {
    async integrityOf(name, version) {
      const view = ['npm', 'view', `${name}@${version}`, 'dist.integrity', '--json'];
      const { exitCode, output, errors } = await runCommand(view, { env });
      if (exitCode === 0) return output.trim() === '' ? undefined : JSON.parse(output);
      // npm says so of a package that is unknown and of a version that is.
      if (/\bE404\b/.test(output + errors)) return undefined;
      throw new Error(
        `npm view ${name}@${version}: expected its digest or E404, received exit ${exitCode}\n${errors}`,
      );
    },
    async publish({ tarball, version }) {
      // A version such as 1.0.0-beta.1 must not become what people get without asking for it.
      const tag = version.includes('-') ? 'next' : 'latest';
      const flags = ['--access', 'public', '--tag', tag, `--provenance=${provenance}`];
      const cwd = dirname(tarball);
      const login = token ? await loginWith(token) : {};
      await outputOf(['npm', 'publish', tarball, ...flags], { cwd, env: { ...env, ...login } });
    },
  };
}

/** npm's setting for the token of the registry that it is set up for, as an environment. */
async function loginWith(token: string): Promise<Record<string, string>> {
  const registry = (await outputOf(['npm', 'config', 'get', 'registry'])).trim();
  return { [`npm_config_${registry.replace(/^https?:/, '')}:_authToken`]: token };
}
