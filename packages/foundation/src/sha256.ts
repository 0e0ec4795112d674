/**
 * SHA-256 by the Web Crypto API, as 64 lower-case hexadecimal digits.
 *
 * @param data - bytes, or text that is encoded as UTF-8.
 * @throws `TypeError` in a browser page that is not served over HTTPS or from localhost, where the
 *   API is not available.
 */
export async function sha256(data: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
