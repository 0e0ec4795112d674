// Messages and spans as the conventions of OpenTelemetry for generative AI write them.

/** Creates a message with one text. */
export const text = (role: string, content: string) => ({
  role,
  parts: [{ type: 'text', content }],
});

/** Creates the part that requests a tool call. */
export const toolCall = (id: string, name: string, args: object) => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
});

/** Creates the message with the result of a call. */
export const response = (id: string, result: string) => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', id, response: result }],
});

/** Creates the attributes of a model call. */
export const chat = (inputs: object[], outputs: object[], more: object = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': JSON.stringify(inputs),
  'gen_ai.output.messages': JSON.stringify(outputs),
  ...more,
});

/** Creates the attributes of a tool execution. */
export const tool = (name: string, id: string, more: object = {}) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.call.id': id,
  ...more,
});
