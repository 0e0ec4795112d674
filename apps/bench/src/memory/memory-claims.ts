import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Claim } from '../results/claims.ts';
import { fillMemory } from './filled-memory.ts';
import { openingClaims } from './opening-claims.ts';
import { hasPgvector, pgvectorClaims } from './pgvector-claims.ts';
import { postgresClaims } from './postgres-claims.ts';
import { sharedClaims } from './shared-claims.ts';
import { sqliteClaims } from './sqlite-claims.ts';

export interface MemoryFigures {
  readonly claims: readonly Claim[];
  /** Skipped measurements with the reason. */
  readonly left: readonly string[];
}

/** Measures the available memories; servers come from KP_POSTGRES_URL and KP_REDIS_URL. */
export async function measureMemories(): Promise<MemoryFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-bench-memory-'));
  const claims: Claim[] = [];
  const left: string[] = [];
  try {
    const full = join(folder, 'full.db');
    await (await fillMemory(full, 100_000)).memory.close();
    for (const runtime of ['Bun', 'Node'] as const) {
      claims.push(...(await openingClaims(full, runtime)));
    }
    claims.push(...(await sqliteClaims(folder)));
    claims.push(...(await sharedClaims(join(folder, 'pair.db'), 'SQLite')));
    const { KP_POSTGRES_URL: postgres, KP_REDIS_URL: redis } = process.env;
    if (postgres === undefined) left.push('Postgres: KP_POSTGRES_URL is not set');
    else {
      claims.push(...(await postgresClaims(postgres)));
      claims.push(...(await sharedClaims(postgres, 'Postgres')));
      if (await hasPgvector(postgres)) claims.push(...(await pgvectorClaims(postgres)));
      else left.push('pgvector: the server of KP_POSTGRES_URL does not have it');
    }
    if (redis === undefined) left.push('Redis: KP_REDIS_URL is not set');
    else claims.push(...(await sharedClaims(redis, 'Redis')));
    return { claims, left };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
