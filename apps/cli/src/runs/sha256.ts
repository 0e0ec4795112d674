/**
 * Returns the SHA-256 of a text in UTF-8, or of bytes, as 64 lower-case hexadecimal digits.
 *
 * The synchronous twin of `sha256` of `@kp/foundation`. An import of `node:crypto` would take longer than most other
 * modules of a command.
 */
export function sha256Of(data: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(data).digest('hex');
}
