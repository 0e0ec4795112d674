/**
 * Creates workers from one script, which is loaded once, at the first call, so that dropping files
 * causes no requests. The workers are under the page's own policy: a worker loaded by its address
 * would be under the policy that its server sends, which may be none.
 */
export function createWorkerSource(address: string): () => Promise<Worker> {
  let script: Promise<string> | undefined;
  async function load(): Promise<string> {
    const response = await fetch(address);
    if (!response.ok)
      throw new Error(`${address}: expected the worker, received ${response.status}`);
    return URL.createObjectURL(await response.blob());
  }
  return async () => {
    script ??= load();
    try {
      return new Worker(await script, { type: 'module' });
    } catch (error) {
      script = undefined;
      throw error;
    }
  };
}
