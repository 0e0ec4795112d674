import type { Server } from 'bun';
import type { PageFile } from './build.ts';

/** Serves the page on this machine only. */
export function servePlayground(files: readonly PageFile[], port: number): Server<undefined> {
  const contents = new Map(files.map(({ path, content }) => [`/${path}`, content]));
  return Bun.serve({
    hostname: 'localhost',
    port,
    fetch(request) {
      const { pathname } = new URL(request.url);
      const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
      const content = contents.get(path);
      if (content === undefined) return new Response('not found', { status: 404 });
      return new Response(content as Uint8Array<ArrayBuffer>, {
        headers: { 'content-type': Bun.file(path).type },
      });
    },
  });
}
