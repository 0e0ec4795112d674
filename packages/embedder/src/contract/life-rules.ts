import type { ContractRule } from './embedder-contract.ts';
import { rule } from './rule.ts';

/** How an embedder begins and ends. */
export const lifeRules: readonly ContractRule[] = [
  rule('is ready more than once', async (embedder, expect) => {
    await Promise.all([embedder.ready?.(), embedder.ready?.()]);
    await embedder.ready?.();
    const embeddings = await embedder.embed(['a']);
    expect(embeddings.length === 1, '1 embedding', embeddings.length);
  }),

  rule('keeps its id and dimensions when it is loaded', async (embedder, expect) => {
    const { id, dimensions } = embedder;
    await embedder.embed(['a']);
    expect(embedder.id === id, id, embedder.id);
    expect(embedder.dimensions === dimensions, `${dimensions}`, embedder.dimensions);
  }),

  rule('closes more than once, and refuses to embed afterwards', async (embedder, expect) => {
    if (embedder.close === undefined) return;
    await embedder.embed(['a']);
    await embedder.close();
    await embedder.close();
    const error: unknown = await embedder.embed(['a']).then(
      () => 'an embedding',
      (reason: unknown) => reason,
    );
    expect(error instanceof Error, 'an error', error);
  }),

  rule('closes without ever having been used', async (embedder) => {
    await embedder.close?.();
  }),
];
