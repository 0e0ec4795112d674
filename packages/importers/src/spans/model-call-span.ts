import { assertType } from '@kp/foundation';

const MODEL_OPERATIONS = /^(?:chat|text_completion|generate_content)$/;

/**
 * Whether a span is a call of a model, by the conventions of OpenTelemetry and of OpenInference.
 *
 * @param attributes - the attributes of the span.
 */
export function isModelCallSpan(attributes: Readonly<Record<string, unknown>>): boolean {
  assertType('attributes', 'an object', attributes);
  const operation = attributes['gen_ai.operation.name'];
  if (typeof operation === 'string' && MODEL_OPERATIONS.test(operation)) return true;
  return attributes['openinference.span.kind'] === 'LLM';
}
