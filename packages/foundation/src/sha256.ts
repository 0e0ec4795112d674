/**
 * SHA-256, as 64 lower-case hexadecimal digits: uses the synchronous `node:crypto` if available,
 * otherwise the Web Crypto API, which takes ten times as long for a short text because it uses
 * another thread.
 *
 * @param data - bytes, or text that is encoded as UTF-8.
 * @throws `TypeError` in a browser page that is not served over HTTPS or from localhost, where the
 *   API is not available.
 */
export async function sha256(data: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const node = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (node !== undefined) return node.createHash('sha256').update(data).digest('hex');
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
