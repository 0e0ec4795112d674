import { expect, it } from 'bun:test';
import { connectOnce } from './connect-once.ts';

it('connects once, for calls at the same time too', async () => {
  let connections = 0;
  const { client, reset } = connectOnce(async () => ++connections);
  expect(await Promise.all([client(), client()])).toEqual([1, 1]);
  expect(await client()).toBe(1);
  reset();
  expect(await client()).toBe(2);
});

it('connects again after a failure', async () => {
  let connections = 0;
  const { client } = connectOnce(async () => {
    if (++connections === 1) throw new Error('offline');
    return connections;
  });
  await expect(client()).rejects.toThrow('offline');
  expect(await client()).toBe(2);
});
