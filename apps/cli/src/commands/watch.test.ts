import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { command, runKp } from '../../test/run-kp.ts';

let folder = '';
const children: Subprocess[] = [];
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-watch-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const SESSION = '0d6c61a5-0000-4000-8000-00000000000';
/** A line of a session of Claude Code. */
function event(session: number, number: number, type: 'user' | 'assistant', text: string): string {
  const content = type === 'user' ? text : [{ type: 'text', text }];
  return `${JSON.stringify({
    type,
    sessionId: `${SESSION}${session}`,
    uuid: `u${session}-${number}`,
    timestamp: '2026-01-01T00:00:00.000Z',
    version: '2.0.0',
    cwd: '/repo',
    message: { id: `m${session}-${number}`, role: type, content },
  })}\n`;
}

interface Watched {
  /** Resolves with the lines so far, when there are so many. */
  lines(count: number): Promise<string[]>;
  end(): Promise<{ exitCode: number; errors: string }>;
}

async function watch(words: readonly string[] = []): Promise<Watched> {
  const child = Bun.spawn([...command, 'watch', folder, '--settle', '0.2', '--json', ...words], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  children.push(child);
  let output = '';
  let errors = '';
  const take = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
  };
  const read = [
    take(child.stdout, (text) => {
      output += text;
    }),
    take(child.stderr, (text) => {
      errors += text;
    }),
  ];
  const until = async (done: () => boolean): Promise<void> => {
    for (let tries = 0; !done() && tries < 400; tries++) await Bun.sleep(50);
  };
  await until(() => errors.includes('watching'));
  return {
    async lines(count) {
      await until(() => output.split('\n').length > count);
      return output.split('\n').filter(Boolean);
    },
    async end() {
      child.kill('SIGINT');
      const exitCode = await child.exited;
      await Promise.all(read);
      return { exitCode, errors };
    },
  };
}

describe('kp watch', () => {
  it('scores sessions as they are written, half lines, growth, rotation and deletion', async () => {
    const watched = await watch();
    const first = at('first.jsonl');
    await writeFile(
      first,
      event(1, 0, 'user', 'Find the port') + event(1, 1, 'assistant', 'I look'),
    );
    const [one = ''] = await watched.lines(1);
    expect(JSON.parse(one).run).toMatchObject({
      objective: 'Find the port',
      steps: 1,
      file: first,
    });

    // Half a line says nothing new; the rest of it does.
    const line = event(1, 2, 'assistant', 'It is 8080');
    await appendFile(first, line.slice(0, 60));
    await Bun.sleep(600);
    expect(await watched.lines(1)).toHaveLength(1);
    await appendFile(first, line.slice(60));
    const [, two = ''] = await watched.lines(2);
    expect(JSON.parse(two)).toMatchObject({
      traceId: JSON.parse(one).traceId,
      novelty: { source: 'empty_memory' },
      run: { steps: 2 },
    });

    await rename(first, at('first.1.jsonl'));
    await writeFile(first, event(2, 0, 'user', 'Bake bread') + event(2, 1, 'assistant', 'Flour'));
    await rm(at('first.1.jsonl'));
    const lines = await watched.lines(3);
    expect(lines.map((each) => JSON.parse(each).run.objective)).toContain('Bake bread');
    await writeFile(at('notes.txt'), 'not a recording');
    const { exitCode, errors } = await watched.end();
    expect([exitCode, errors.includes('problem')]).toEqual([0, false]);
  }, 60_000);

  it('scores what is there already where that is asked for', async () => {
    const watched = await watch(['--initial']);
    const [line = ''] = await watched.lines(1);
    expect(JSON.parse(line).run.objective).toBe('Bake bread');
    await watched.end();
  }, 60_000);

  it('ends, and says so, when the folder is gone', async () => {
    const gone = await mkdtemp(join(tmpdir(), 'kp-gone-'));
    const child = Bun.spawn([...command, 'watch', gone], { stdout: 'ignore', stderr: 'pipe' });
    children.push(child);
    const reader = child.stderr.getReader();
    const decoder = new TextDecoder();
    let errors = '';
    while (!errors.includes('watching')) errors += decoder.decode((await reader.read()).value);
    await rm(gone, { recursive: true });
    expect(await child.exited).toBe(2);
    errors += decoder.decode((await reader.read()).value);
    expect(errors).toContain('expected a folder to watch, and it is gone');
  }, 30_000);

  it.each([
    [['no-such-folder'], 'expected a folder to watch'],
    [['.', '--settle', 'soon'], 'expected a number of seconds'],
  ])('of %p says what is wrong', async (words, message) => {
    const { exitCode, errors } = await runKp(['watch', ...words]);
    expect(exitCode).toBe(2);
    expect(errors).toContain(message);
  });
});
