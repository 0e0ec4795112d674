import { expect, it } from 'bun:test';
import { readGivenRun } from './given-run.ts';

it('limits how much of the input it quotes', async () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: 'Gone.' },
  ];
  const refused = await readGivenRun({ messages, id: 'x'.repeat(250_000) }, []).catch(
    (error: Error) => error,
  );
  expect(refused).toMatchObject({ code: 'RUN_UNUSABLE' });
  expect((refused as Error).message).toMatch(/^run: expected x{1986}…$/);
});
