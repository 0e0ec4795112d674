import { factsOf } from '../src/contract/outline.ts';
import { importAll } from './read.ts';

export { factsOf };

/** The facts of all runs of a recording, without assumptions. */
export async function factsIn(text: string): Promise<string[]> {
  return (await importAll(text)).flatMap(factsOf);
}
