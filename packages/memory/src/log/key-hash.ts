import { MemoryStoreError } from './errors.ts';

/** Converts the ids of traces to the keys of a store. */
export interface KeyHash {
  /** Identifies the secret without revealing it; empty without a secret. */
  readonly check: string;
  /**
   * @param hashedWith - the check of the secret with which the key is hashed already; undefined for
   *   the id of a trace.
   * @throws {@link MemoryStoreError} `MEMORY_MISMATCH` if that is another secret.
   */
  of(key: string, hashedWith?: string): string;
}

/** @param secret - undefined: keys are stored as they are. */
export function createKeyHash(secret: string | undefined): KeyHash {
  const hash = secret === undefined ? undefined : hashBy(secret);
  const check = hash?.('check:').slice(0, 16) ?? '';
  return {
    check,
    of(key, hashedWith) {
      if (hashedWith === undefined) return hash?.(`key:${key}`) ?? key;
      checkHashedWith('entries', hashedWith, check);
      return key;
    },
  };
}

/** @throws {@link MemoryStoreError} `MEMORY_MISMATCH` if a memory cannot take keys that are hashed. */
export function checkHashedWith(subject: string, hashedWith: string, check: string): void {
  if (hashedWith === check) return;
  throw new MemoryStoreError({
    code: 'MEMORY_MISMATCH',
    subject: `${subject}, keys`,
    expected: check === '' ? 'not hashed' : 'hashed with the secret in hashKeys',
    received: check === '' ? 'hashed' : 'hashed with another secret',
    remedy: 'set hashKeys to the secret of the memory that they come from',
  });
}

/** The form of a hashed key: 32 bytes in base64url. */
export const HASHED_KEY: RegExp = /^[\w-]{43}$/;

function hashBy(secret: string): (text: string) => string {
  // An import of node:crypto would take Node longer than everything else that opens a memory.
  const { createHmac } = process.getBuiltinModule('node:crypto');
  return (text) => createHmac('sha256', secret).update(text).digest('base64url');
}
