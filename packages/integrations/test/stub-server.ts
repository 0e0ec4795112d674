import { afterEach } from 'bun:test';

/** A request received by the stub. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path including the query. */
  readonly path: string;
  readonly authorization: string | null;
  readonly body: unknown;
}

const running: { stop(force: boolean): Promise<void> }[] = [];
afterEach(() => Promise.all(running.splice(0).map((server) => server.stop(true))));

/** Starts a local HTTP server that records its requests. It stops after the test. */
export function stubServer(answer: (request: ReceivedRequest) => Response | Promise<Response>): {
  readonly url: string;
  readonly requests: ReceivedRequest[];
} {
  const requests: ReceivedRequest[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const received: ReceivedRequest = {
        method: request.method,
        path: pathname + search,
        authorization: request.headers.get('authorization'),
        body: text === '' ? undefined : JSON.parse(text),
      };
      requests.push(received);
      return answer(received);
    },
  });
  running.push(server);
  return { url: `http://localhost:${server.port}`, requests };
}
