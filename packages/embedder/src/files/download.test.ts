import { describe, expect, it, spyOn } from 'bun:test';
import { sha256 } from '@kp/foundation';
import { type DownloadOptions, downloadFile } from './download.ts';

const url = 'https://models.example/model.bin';
const bytes = Uint8Array.of(1, 2, 3, 4, 5);

function respond(body: BodyInit | null, headers: Record<string, string> = {}, status = 200) {
  const asked: [unknown, RequestInit | undefined][] = [];
  const fetch = async (address: unknown, init?: RequestInit) => {
    asked.push([address, init]);
    return new Response(body, { status, headers });
  };
  return { asked, fetch: fetch as typeof globalThis.fetch };
}

function inParts(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

const download = (options: Partial<DownloadOptions>): Promise<Uint8Array> =>
  downloadFile(url, { signal: new AbortController().signal, remedy: 'try again', ...options });

describe('downloadFile', () => {
  it('returns the bytes in order and reports progress', async () => {
    const told: unknown[] = [];
    const onProgress = (...progress: unknown[]) => void told.push(progress);
    for (const [headers, total] of [
      [{ 'content-length': '5' }, 5],
      [{}, undefined],
      // The length of a compressed response differs from that of the file.
      [{ 'content-length': '3', 'content-encoding': 'gzip' }, undefined],
    ] as const) {
      told.length = 0;
      const body = inParts([bytes.subarray(0, 2), bytes.subarray(2)]);
      const { fetch, asked } = respond(body, headers);
      expect(await download({ fetch, onProgress })).toEqual(bytes);
      expect(asked.map(([address]) => address)).toEqual([url]);
      expect(told).toEqual([
        [2, total],
        [5, total],
      ]);
    }
  });

  it.each([
    [respond(bytes, { 'content-length': '6' }), '5 of 6 bytes'],
    [respond(bytes, { 'content-length': '4' }), '5 of 4 bytes'],
    [respond(null, {}, 404), 'HTTP status 404'],
    [respond(null, {}, 300), 'HTTP status 300'],
  ])('rejects an incomplete download: %#', async ({ fetch, asked }, received) => {
    await expect(download({ fetch })).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      message: `${url}: expected the whole file, received ${received}; try again`,
    });
    expect(asked[0]?.[1]?.signal?.aborted).toBe(true);
  });

  it('includes the connection error in the cause of a failed fetch', async () => {
    const failing = (error: unknown) => download({ fetch: (() => Promise.reject(error)) as never });
    const cause = new Error('getaddrinfo ENOTFOUND models.example');
    await expect(failing(new TypeError('fetch failed', { cause }))).rejects.toMatchObject({
      received: 'fetch failed: getaddrinfo ENOTFOUND models.example',
    });
    await expect(failing(new TypeError('fetch failed'))).rejects.toMatchObject({
      received: 'fetch failed',
    });
    await expect(failing('refused')).rejects.toMatchObject({ received: '"refused"' });
  });

  it('checks the hash of a complete download', async () => {
    expect(await download({ ...respond(bytes), pin: await sha256(bytes) })).toEqual(bytes);
    await expect(download({ ...respond(bytes), pin: 'ab' })).rejects.toMatchObject({
      code: 'FILE_HASH_MISMATCH',
    });
  });

  it('aborts with a signal aborted before or during the download', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const removed = spyOn(signal, 'removeEventListener');
    const signals: AbortSignal[] = [];
    // A fetch that ignores the signal.
    const fetch = ((_: unknown, init: RequestInit) => {
      signals.push(init.signal as AbortSignal);
      return new Promise(() => undefined);
    }) as never;
    const waiting = download({ fetch, signal });
    expect(signals[0]?.aborted).toBe(false);
    controller.abort(new Error('no longer wanted'));
    const failure = { code: 'DOWNLOAD_FAILED', received: 'no longer wanted' };
    await expect(waiting).rejects.toMatchObject(failure);
    expect(removed).toHaveBeenCalled();
    await expect(download({ fetch, signal })).rejects.toMatchObject(failure);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('waits 30 s for each chunk by default', async () => {
    const waits: unknown[] = [];
    const wait = spyOn(globalThis, 'setTimeout').mockImplementation(((
      run: () => void,
      ms: number,
    ) => {
      waits.push(ms);
      if (waits.length % 2 === 0) run();
      return 0;
    }) as never);
    try {
      for (const [stallTimeoutMs, received] of [
        [undefined, 'nothing for 30 s'],
        [1_500, 'nothing for 1.5 s'],
      ] as const) {
        const { fetch } = respond(new ReadableStream());
        await expect(download({ fetch, stallTimeoutMs })).rejects.toMatchObject({ received });
      }
      expect(waits).toEqual([30_000, 30_000, 1_500, 1_500]);
    } finally {
      wait.mockRestore();
    }
  });
});
