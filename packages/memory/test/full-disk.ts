import { openTest } from './load.ts';
import { vectorOf } from './replay.ts';

/** Fills a file up to the limit of its shell; prints the error and the number of kept entries. */
process.on('SIGXFSZ', () => undefined);
let remembered = 0;
try {
  const memory = await openTest(process.argv[2] ?? '', { timeoutMs: 500 });
  for (;;) {
    await memory.add(vectorOf(remembered), `${'long '.repeat(100)}${remembered}`);
    remembered++;
  }
} catch (error) {
  console.log(Reflect.get(error as Error, 'code'), remembered, (error as Error).message);
}
