import { asText, isObject } from '../run/json-values.ts';

/**
 * Returns the user's last message in a prompt or in messages of the AI SDK. Earlier turns are the context
 * of the run and not part of it.
 */
export function lastQuestion(prompt: unknown): string | undefined {
  if (typeof prompt === 'string') return prompt;
  const messages: unknown[] = Array.isArray(prompt) ? prompt : [];
  return messages.map(userText).findLast((text) => text !== undefined);
}

function userText(message: unknown): string | undefined {
  if (!isObject(message) || message.role !== 'user') return undefined;
  const { content, parts } = message;
  if (typeof content === 'string') return content;
  const list: unknown[] = Array.isArray(content) ? content : Array.isArray(parts) ? parts : [];
  const texts = list.flatMap((part) =>
    isObject(part) && part.type === 'text' ? asText(part.text) : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}
