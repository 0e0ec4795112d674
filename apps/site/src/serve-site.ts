import { join } from 'node:path';
import type { Server } from 'bun';

/**
 * Serves a built site on 127.0.0.1 as static hosts do: also addresses without `.html`, and its own
 * page for missing ones.
 *
 * @param folder - the built site.
 * @param base - the path that it was built for.
 */
export function serveSite(folder: string, base: string = '/'): Server<undefined> {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(base.length);
      const named = path === '' || path.endsWith('/') ? `${path}index.html` : path;
      for (const name of [named, `${named}.html`]) {
        const file = Bun.file(join(folder, name));
        if (!name.includes('..') && (await file.exists())) return new Response(file);
      }
      return new Response(Bun.file(join(folder, '404.html')), { status: 404 });
    },
  });
}
