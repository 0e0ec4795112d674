// Messages and spans as the conventions of OpenTelemetry for generative AI write them.

/** A message of one text. */
export const text = (role: string, content: string) => ({
  role,
  parts: [{ type: 'text', content }],
});

/** The part that asks for a tool. */
export const toolCall = (id: string, name: string, args: object) => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
});

/** The message that answers a call. */
export const response = (id: string, result: string) => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', id, response: result }],
});

/** Attributes of a call of a model. */
export const chat = (inputs: object[], outputs: object[], more: object = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': JSON.stringify(inputs),
  'gen_ai.output.messages': JSON.stringify(outputs),
  ...more,
});

/** Attributes of a run of a tool. */
export const tool = (name: string, id: string, more: object = {}) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.call.id': id,
  ...more,
});
