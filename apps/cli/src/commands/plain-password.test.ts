import { expect, it } from 'bun:test';
import { command, examples, runKp } from '../../test/run-kp.ts';

const WARNING = 'the password for a.invalid and all data are sent without TLS';
const SECRET = 'S3cretPw9xK';
const url = `postgres://kp:${SECRET}@a.invalid/kp`;

it('warns once about a password that is sent to another machine without TLS', async () => {
  const results = await Promise.all([
    runKp(['memory', 'stats', url]),
    runKp(['memory', 'forget', `redis://:${SECRET}@a.invalid`, 'kp:trace:a']),
    runKp(['memory', 'erase', url, 'kp:trace:a', '--queue', url]),
    runKp(['work', '--queue', url, '--failed']),
  ]);
  for (const { errors, output } of results) {
    expect(errors.split(WARNING)).toHaveLength(2);
    expect(errors + output).not.toContain(SECRET);
  }
  const { errors } = await runKp(['memory', 'stats', `${url}?sslmode=verify-full`]);
  expect(errors).not.toContain('without TLS');
});

it('warns before it scores', async () => {
  const words = ['score', examples, '--embedder', 'lexical', '--memory', url];
  const child = Bun.spawn([...command, ...words], { stdout: 'ignore', stderr: 'pipe' });
  let errors = '';
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    errors += chunk;
    // The command retries the server for half a minute.
    if (errors.includes('retrying')) child.kill();
  }
  expect(errors).toStartWith(`kp: --memory: ${WARNING}`);
  expect(errors).not.toContain(SECRET);
});
