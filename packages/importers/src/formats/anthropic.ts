import type { Importer } from '../importer.ts';
import { RecordingError } from '../recording-error.ts';
import { readAnthropicMessage } from './anthropic-message.ts';
import { expectMessage } from './chat-run.ts';
import { createConversation } from './conversation.ts';
import { asMessages, findMarks, isMessage, MESSAGE_GROUP } from './message-marks.ts';
import { findMessages, readEnvelope } from './message-source.ts';

/**
 * Messages of Anthropic's API, with blocks for content: `{messages: […]}` (also under `request`,
 * and with the answer under `response`), and messages by themselves.
 */
export const anthropicImporter: Importer = {
  name: 'anthropic',
  title: 'Anthropic messages',
  detect(value) {
    const messages = asMessages(findMessages(value)?.messages);
    const mark = messages && findMarks(messages).get('anthropic');
    return mark === undefined ? undefined : { seen: mark, fit: 'distinct' };
  },
  pieceOf: (value) => (isMessage(value) ? MESSAGE_GROUP : undefined),
  *read(value) {
    const found = findMessages(value);
    if (found === undefined) throw new RecordingError('recording', 'an array of messages', value);
    const conversation = createConversation();
    for (const [index, entry] of found.messages.entries()) {
      const path = `${found.path}[${index}]`;
      const { message, role } = expectMessage(entry, path);
      if (role === 'system') continue;
      readAnthropicMessage(role, message.content, `${path}.content`, conversation);
    }
    yield { ...readEnvelope(value), ...conversation.finish() };
  },
};
