import type { PackedPackage } from './published-packages.ts';

/** The operations that a release needs from a package registry. */
export interface Registry {
  /** The digest of a version in the registry; undefined if it has no such version. */
  integrityOf(name: string, version: string): Promise<string | undefined>;
  publish(packed: PackedPackage): Promise<void>;
}

export interface Published {
  readonly published: readonly string[];
  /** Versions that were already published with the same bytes. */
  readonly skipped: readonly string[];
}

/** A release ended before its last package. Running it again continues. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly code = 'RELEASE_INCOMPLETE';
  readonly published: readonly string[];
  readonly failed: string;
  readonly left: readonly string[];

  constructor(
    failed: string,
    published: readonly string[],
    left: readonly string[],
    cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `release: expected ${failed} to be published, received: ${reason}\n` +
        `  in the registry: ${published.join(', ') || 'none'}\n` +
        `  left: ${[failed, ...left].join(', ')}\n` +
        '  Fix the cause and run the same release again; it skips packages that the registry already has.',
      { cause },
    );
    this.published = published;
    this.failed = failed;
    this.left = left;
  }
}

/**
 * Publishes the packages in the given order. Skips versions that the registry already has, so running an
 * interrupted release again completes it.
 *
 * @throws {RangeError} before publishing anything, if the registry has a version with other bytes.
 * @throws {ReleaseError} if a package cannot be published; later packages are not tried.
 */
export async function publishAll(
  packages: readonly PackedPackage[],
  registry: Registry,
  say: (line: string) => void,
): Promise<Published> {
  const skipped: string[] = [];
  for (const { name, version, integrity } of packages) {
    const there = await registry.integrityOf(name, version);
    if (there === undefined) continue;
    if (there !== integrity) {
      throw new RangeError(
        `${name}@${version}: expected the bytes packed here (${integrity}), received others (${there}) from the registry; release from the tagged commit, or raise the version by bun run maintain version`,
      );
    }
    skipped.push(`${name}@${version}`);
  }
  const published: string[] = [];
  for (const [index, packed] of packages.entries()) {
    const id = `${packed.name}@${packed.version}`;
    if (skipped.includes(id)) {
      say(`${id}: already in the registry, skipped`);
      continue;
    }
    try {
      await registry.publish(packed);
    } catch (error) {
      const left = packages.slice(index + 1).map(({ name, version }) => `${name}@${version}`);
      const missing = left.filter((name) => !skipped.includes(name));
      throw new ReleaseError(id, [...skipped, ...published], missing, error);
    }
    published.push(id);
    say(`${id}: published`);
  }
  return { published, skipped };
}
