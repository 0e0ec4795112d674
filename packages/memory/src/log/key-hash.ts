/** Converts the ids of traces to the keys of a store. */
export interface KeyHash {
  /** Identifies the secret without revealing it; empty without a secret. */
  readonly check: string;
  of(key: string): string;
}

/** @param secret - undefined: keys are stored as they are. */
export function createKeyHash(secret: string | undefined): KeyHash {
  if (secret === undefined) return { check: '', of: (key) => key };
  // An import of node:crypto would take Node longer than everything else that opens a memory.
  const { createHmac } = process.getBuiltinModule('node:crypto');
  const hash = (text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url');
  return { check: hash('check:').slice(0, 16), of: (key) => hash(`key:${key}`) };
}
