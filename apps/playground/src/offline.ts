/** The parts of a service worker that we use, because the types of a page lack them. */
interface WorkerScope {
  addEventListener(
    type: 'install' | 'activate' | 'fetch',
    listener: (event: WorkerEvent) => void,
  ): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly scope: string };
}

interface WorkerEvent {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

// Inserted by the build: all files of the page, and their hash.
declare const PAGE_FILES: readonly string[];
declare const PAGE_VERSION: string;

const scope = globalThis as unknown as WorkerScope;
const PREFIX = 'kp-playground-';

/** Caches the page's own files, so that it works without a network. Requests nothing else. */
scope.addEventListener('install', (event) => {
  const keep = async (): Promise<void> => {
    const cache = await caches.open(`${PREFIX}${PAGE_VERSION}`);
    await cache.addAll(PAGE_FILES.map((file) => new Request(file, { cache: 'reload' })));
    await scope.skipWaiting();
  };
  event.waitUntil(keep());
});

scope.addEventListener('activate', (event) => {
  const clean = async (): Promise<void> => {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX) && name !== `${PREFIX}${PAGE_VERSION}`) await caches.delete(name);
    }
    await scope.clients.claim();
  };
  event.waitUntil(clean());
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope.registration.scope)) return;
  const answer = async (): Promise<Response> => {
    // Ignores the settings in the address, which do not affect the file.
    const kept = await caches.match(request, { ignoreSearch: true });
    return kept ?? fetch(request);
  };
  event.respondWith(answer());
});
