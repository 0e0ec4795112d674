import { createLexicalEmbedder, createStaticEmbedder } from '../src/index.ts';

const TEXTS = ['North, east!', 'north', '東京で航空券を予約する', ''];

async function embedInPage() {
  const path = new URL('/model', location.href).href;
  const fetched = createStaticEmbedder({ path, dimensions: 3 });
  const missing = createStaticEmbedder({ path: `${path}-that-is-not-there`, dimensions: 3 });
  const lexical = await createLexicalEmbedder().embed(TEXTS);
  return {
    static: (await fetched.embed(TEXTS)).map(({ vector }) => [...vector]),
    lexical: lexical.map(({ vector }) => [...vector]),
    failure: await missing.ready().catch(({ code }) => code),
  };
}

embedInPage().then(
  (result) => Object.assign(globalThis, { embedded: result }),
  (error) => Object.assign(globalThis, { embedded: { error: String(error) } }),
);
