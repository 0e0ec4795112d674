import type { FoundTexts, TextSource } from '../transcript/text-source.ts';

/** Requests the texts of a run from the server of the page when the reader opens it. */
export function createServedTexts(): TextSource {
  return {
    async read(place) {
      const response = await fetch(new URL(`texts/${place}`, location.href));
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(await response.text());
      return response.json();
    },
    async search(query, tell, signal) {
      const address = new URL('search', location.href);
      address.searchParams.set('q', query);
      const response = await fetch(address, { signal });
      if (!response.ok || response.body === null) throw new Error(await response.text());
      const hits = new Map<number, number>();
      for await (const line of linesOf(response.body)) {
        const part: { hits: [number, number][]; done: number } = JSON.parse(line);
        for (const [place, amount] of part.hits) hits.set(place, amount);
        const found: FoundTexts = { hits: new Map(hits), done: part.done };
        tell(found);
      }
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
