import type fc from 'fast-check';
import type { Mutation } from './mutations.ts';

/** Something that reads bytes from outside. */
export interface FuzzTarget {
  /** Inputs as they should be, to be changed by {@link mutated}. */
  seeds(): Promise<readonly Uint8Array[]>;
  /** Changes that know what the inputs are made of, beside those of bytes and of JSON. */
  readonly mutation?: fc.Arbitrary<Mutation>;
  /** @throws whatever is no proper answer to these bytes. */
  run(bytes: Uint8Array): Promise<void>;
}

/** Runs what may refuse its input, by an error of ours, which has a code, and in no other way. */
export async function properly(action: () => unknown): Promise<void> {
  try {
    await action();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Codes of a runtime and its system begin otherwise.
    if (typeof code !== 'string' || /^(ERR_|E[A-Z]+$)/.test(code)) throw error;
    const { message } = error as Error;
    if (message.length > MOST_MESSAGE) throw new Error(`a message of ${message.length} characters`);
  }
}

/** A message is for a person: what it quotes of an input is cut short. */
const MOST_MESSAGE = 3000;

/** The value of JSON; undefined where the bytes are none. */
export function parseOrUndefined(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
