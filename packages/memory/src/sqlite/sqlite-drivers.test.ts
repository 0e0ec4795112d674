import { describe, expect, it, mock } from 'bun:test';
import { describeWith, nodeNeed } from '@kp/testing/needs';
import { sharedMemoryContract } from '../contract/index.ts';
import { loadSqlite } from './sqlite-drivers.ts';

const node = process.env.KP_NODE ?? Bun.which('node');

describeWith(nodeNeed, 'SQLite under Node', () => {
  it('keeps the contract, or says what to install', async () => {
    const program = new URL('../../test/contract-under-node.mjs', import.meta.url).pathname;
    const child = Bun.spawn([node ?? '', program], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = (await new Response(child.stdout).text()).trim();
    const errors = await new Response(child.stderr).text();
    expect({ exitCode: await child.exited, errors }).toEqual({ exitCode: 0, errors: '' });
    const [major = 0, minor = 0] = Bun.spawnSync([node ?? '', '--version'])
      .stdout.toString()
      .slice(1)
      .split('.')
      .map(Number);
    if (major > 22 || (major === 22 && minor >= 5) || !output.startsWith('DEPENDENCY_MISSING')) {
      expect(output).toBe(`${sharedMemoryContract.length} rules kept`);
    } else {
      expect(output).toContain('install it: npm install better-sqlite3');
    }
  });
});

describe('better-sqlite3', () => {
  it('is given the values of numbered parameters by name, as it asks for', async () => {
    const echo = (...values: unknown[]) => values;
    const told: string[] = [];
    class Database {
      exec = (sql: string) => told.push(sql);
      prepare = () => ({ run: echo, get: echo, all: echo });
      close = () => told.push('closed');
    }
    await mock.module('better-sqlite3', () => ({ default: Database }));
    const database = (await loadSqlite('better-sqlite3'))('x.db');
    const numbered = database.prepare('SELECT ?1, ?2, ?1');
    for (const call of [numbered.run, numbered.get, numbered.all]) {
      expect(call('a', 2) as unknown).toEqual([{ 1: 'a', 2: 2 }]);
    }
    expect(database.prepare('SELECT ?, ?').get('a', 2)).toEqual(['a', 2]);
    database.exec('BEGIN');
    database.close();
    expect(told).toEqual(['BEGIN', 'closed']);
  });
});
