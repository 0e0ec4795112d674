import { expect, it } from 'bun:test';
import { createWorkerWatchdog } from './worker-watchdog.ts';

it('reports a silent worker once, and no worker that has stopped', async () => {
  const reasons: string[] = [];
  const watchdog = createWorkerWatchdog(20, (reason) => reasons.push(reason));
  watchdog.restart();
  watchdog.restart();
  await Bun.sleep(100);
  expect(reasons).toEqual(['no message for 0.02 s']);
  watchdog.restart();
  watchdog.stop();
  await Bun.sleep(100);
  expect(reasons).toHaveLength(1);
});
