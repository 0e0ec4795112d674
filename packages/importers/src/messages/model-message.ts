import type { ErrorSign, UserFeedback } from '@kp/schema';
import type { JsonValue } from '../json/json-value.ts';

/** A message of a model call. */
export interface ModelMessage {
  readonly role: string;
  readonly parts: readonly MessagePart[];
}

/** A part of a message. */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id?: string;
      readonly name: JsonValue | undefined;
      readonly arguments: JsonValue | undefined;
    }
  | {
      readonly kind: 'result';
      readonly id?: string;
      readonly content: string;
      readonly error?: ErrorSign;
      readonly feedback?: UserFeedback;
    }
  /** An image or other part without text. */
  | { readonly kind: 'other'; readonly type: string };

/** A model call: its inputs and its answer. */
export interface ModelCall {
  readonly inputs: readonly ModelMessage[];
  readonly outputs: readonly ModelMessage[];
  readonly responseId?: string;
}

/** Creates a model call; undefined if no messages are recorded. */
export function modelCall(
  inputs: readonly ModelMessage[],
  outputs: readonly ModelMessage[],
): ModelCall | undefined {
  return inputs.length + outputs.length === 0 ? undefined : { inputs, outputs };
}
