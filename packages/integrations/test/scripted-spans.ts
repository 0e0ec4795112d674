import { context, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';

const GEN_AI = 'gen_ai.operation.name';

const text = (role: string, content: string): object => ({
  role,
  parts: [{ type: 'text', content }],
});

/** Starts a child span. */
export function startSpan(tracer: Tracer, name: string, attributes: object, parent?: Span): Span {
  const above = parent === undefined ? context.active() : trace.setSpan(context.active(), parent);
  return tracer.startSpan(name, { attributes: { ...attributes } }, above);
}

export function startAgent(tracer: Tracer, parent?: Span, name = 'guide'): Span {
  const attributes = { [GEN_AI]: 'invoke_agent', 'gen_ai.agent.name': name };
  return startSpan(tracer, `invoke_agent ${name}`, attributes, parent);
}

/** Records a model call with its input and answer. */
export function callModel(
  tracer: Tracer,
  agent: Span,
  question: string,
  parts: object[],
  more: object = {},
): void {
  const attributes = {
    [GEN_AI]: 'chat',
    'gen_ai.request.model': 'fake',
    'gen_ai.input.messages': JSON.stringify([text('user', question)]),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts }]),
    ...more,
  };
  startSpan(tracer, 'chat fake', attributes, agent).end();
}

export const say = (content: string): object => ({ type: 'text', content });
export const ask = (id: string, name: string, args: object): object => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
});

export function startTool(
  tracer: Tracer,
  agent: Span | undefined,
  id: string,
  name: string,
  args: object,
) {
  const attributes = {
    [GEN_AI]: 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': JSON.stringify(args),
  };
  const span = startSpan(tracer, `execute_tool ${name}`, attributes, agent);
  return {
    end(result: string) {
      span.setAttribute('gen_ai.tool.call.result', result);
      span.end();
    },
    fail(message: string) {
      failSpan(span, message);
    },
  };
}

export function failSpan(span: Span, message: string): void {
  span.recordException(new Error(message));
  span.setStatus({ code: SpanStatusCode.ERROR, message });
  span.end();
}

/** Two parallel calls, the first of which fails and answers last; a retry of it; an answer. */
export function runRetry(tracer: Tracer, agent: Span, question: string): void {
  callModel(tracer, agent, question, [
    ask('c1', 'weather', { city: 'Nowhere' }),
    ask('c2', 'tides', { city: 'Oslo' }),
  ]);
  const weather = startTool(tracer, agent, 'c1', 'weather', { city: 'Nowhere' });
  const tides = startTool(tracer, agent, 'c2', 'tides', { city: 'Oslo' });
  tides.end('high');
  weather.fail('no such city');
  callModel(tracer, agent, question, [ask('c3', 'weather', { city: 'Oslo' })]);
  startTool(tracer, agent, 'c3', 'weather', { city: 'Oslo' }).end('5 degrees');
  callModel(tracer, agent, question, [say('It is 5 degrees')]);
}

/** Expected steps of {@link runRetry}. */
export const RETRY_STEPS: readonly string[] = [
  'tool_call weather {"city":"Nowhere"}',
  'tool_call tides {"city":"Oslo"}',
  'observation high',
  'observation no such city',
  'error_recovery weather {"city":"Oslo"}',
  'observation 5 degrees',
  'thought It is 5 degrees',
];
