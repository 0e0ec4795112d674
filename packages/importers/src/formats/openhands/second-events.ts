import { asName, isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { asText, readText } from '../../messages/content.ts';
import {
  type Conversation,
  toolCall,
  toolRejection,
  toolResult,
} from '../../messages/conversation.ts';

/** Reads an event of version 1, which wraps an action or observation. */
export function readSecondEvent(
  event: JsonObject,
  index: number,
  conversation: Conversation,
): void {
  const { kind, source, llm_message, action, observation } = event;
  if (kind === 'MessageEvent' && isJsonObject(llm_message)) {
    const text = readText(llm_message.content, conversation.omitted);
    if (source === 'agent') conversation.addThought(text);
    else conversation.addUserMessage(text);
  } else if (kind === 'ActionEvent') {
    const thought = readText(event.thought, conversation.omitted);
    conversation.addThought([asText(event.reasoning_content), thought].find(Boolean) ?? '');
    const { kind: actionKind, ...input } = isJsonObject(action) ? action : {};
    if (event.tool_name === 'finish') conversation.addThought(asText(input.message));
    else {
      const name = event.tool_name ?? actionKind;
      conversation.addSteps(
        toolCall(name, input, event.tool_call_id, `events[${index}].tool_name`),
      );
    }
  } else if (kind === 'ObservationEvent' && isJsonObject(observation)) {
    if (event.tool_name === 'finish') return;
    const text = readText(observation.content ?? observation.output, conversation.omitted);
    const failed = observation.is_error === true || observation.error === true;
    const sign = failed ? 'flag' : exitSignOf(observation);
    conversation.addSteps(toolResult(text, event.tool_call_id, sign));
  } else if (kind === 'UserRejectObservation') {
    conversation.addSteps(toolRejection(asText(event.rejection_reason), event.tool_call_id));
  } else if (kind === 'AgentErrorEvent') {
    conversation.addSteps(toolResult(asText(event.error), event.tool_call_id, 'flag'));
  } else {
    conversation.omit(asName(kind));
  }
}

/** Reads the exit code of a command; -1 means that it still runs. */
export function exitSignOf({ metadata, exit_code }: JsonObject): 'exit_code' | undefined {
  const code = exit_code ?? (isJsonObject(metadata) ? metadata.exit_code : undefined);
  return typeof code === 'number' && code !== 0 && code !== -1 ? 'exit_code' : undefined;
}
