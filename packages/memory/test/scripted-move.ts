import { toBytes } from '../src/log/vector-bytes.ts';
import type { MemoryWarning } from '../src/options.ts';
import {
  type MigrationOptions,
  migratePostgresMemory,
} from '../src/postgres/migrate-postgres-memory.ts';
import { STORED_SPACE, type Statement, scriptDatabase } from './scripted-postgres.ts';

const VECTOR = Float32Array.of(1, 0);

/** A database with a namespace that may be moved. */
export interface MoveFacts {
  readonly stored?: object;
  /** How many rows each copy finds, in turn; then none. */
  readonly rows?: readonly number[];
  /** Of the index, when that is the source. */
  readonly size?: number;
  /** What the move leads to, when one was begun before. */
  readonly target?: number;
  readonly answer?: (statement: Statement) => readonly unknown[] | Error | undefined;
}

/** What came of a move, and what the server was asked. */
export interface ScriptedMove {
  readonly done: Promise<number>;
  readonly steps: readonly unknown[];
  readonly warnings: readonly MemoryWarning[];
  texts(): readonly string[];
  /** Values of the first statement with this in its text. */
  valuesOf(part: string): readonly unknown[] | undefined;
}

/** Moves the namespace of a database with these facts. */
export function scriptMove(
  facts: MoveFacts,
  options: Partial<MigrationOptions> = {},
): ScriptedMove {
  const left = [...(facts.rows ?? [])];
  const steps: unknown[] = [];
  const warnings: MemoryWarning[] = [];
  const database = scriptDatabase({
    stored: facts.stored ?? STORED_SPACE,
    answer(statement) {
      const { text } = statement;
      const said = facts.answer?.(statement);
      if (said !== undefined) return said;
      if (text.startsWith('SELECT target')) {
        return facts.target === undefined ? [] : [{ target: facts.target }];
      }
      if (text.includes('hnsw_size')) return [{ size: facts.size ?? 0 }];
      if (text.startsWith('SELECT copied')) return [{ copied: 0 }];
      if (text.includes('FROM kp_memory.log WHERE space = $1 AND position')) {
        return Array.from({ length: left.shift() ?? 0 }, (_, i) => ({
          at: i + 1,
          kind: 0,
          operation: crypto.randomUUID(),
          added_at: 7,
          key: `${i}`,
          vector: toBytes(VECTOR),
        }));
      }
      if (text.includes('hnsw_take')) return [{ is_taken: true }];
      if (text.startsWith('SELECT head')) return [{ head: '1234' }];
      return undefined;
    },
  });
  const done = migratePostgresMemory(database.pool, {
    namespace: 'own',
    to: 'hnsw',
    timeoutMs: 20_000,
    onProgress: (...step) => steps.push(step),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  const texts = (): string[] => database.statements.map(({ text }) => text);
  const valuesOf = (part: string) =>
    database.statements.find(({ text }) => text.includes(part))?.values;
  return { done, steps, warnings, texts, valuesOf };
}
