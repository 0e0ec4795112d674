import { Agent, type Model, type Tool, tool, Usage } from '@openai/agents';
import * as z from 'zod';

/** A scripted model turn: items to answer with or an error to throw. */
export type Turn = readonly object[] | Error;

export const said = (text: string): object => ({
  type: 'message',
  id: `m-${text}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});

export const called = (id: string, name: string, args: object): object => ({
  type: 'function_call',
  id: `f-${id}`,
  callId: id,
  name,
  status: 'completed',
  arguments: JSON.stringify(args),
});

/** Creates a model that plays scripted turns. */
export function scriptedModel(turns: readonly Turn[]): Model {
  const left = [...turns];
  const next = (): never[] => {
    const turn = left.shift() ?? [];
    if (turn instanceof Error) throw turn;
    return turn as never[];
  };
  const usage = new Usage({ inputTokens: 3, outputTokens: 4, totalTokens: 7 });
  return {
    getResponse: async () => ({ usage, output: next(), responseId: 'r' }),
    async *getStreamedResponse() {
      yield { type: 'response_started' };
      const output = next();
      const cost = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
      yield { type: 'response_done', response: { id: 'r', usage: cost, output } };
    },
  } as Model;
}

/** Creates tools that fail for the city of Nowhere. `weather` always answers after `tides`. */
export function weatherTools(): Tool[] {
  let tell = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const city = z.object({ city: z.string() });
  const weather = tool({
    name: 'weather',
    description: 'the weather of a city',
    parameters: city,
    async execute(place) {
      if (place.city === 'Nowhere') {
        await told;
        throw new Error('no such city');
      }
      return `${place.city}: 5 degrees`;
    },
  });
  const tides = tool({
    name: 'tides',
    description: 'the tides of a city',
    parameters: city,
    async execute() {
      tell();
      return 'high';
    },
  });
  return [weather, tides];
}

/** Two parallel calls, the first of which fails and answers last; a retry of it; an answer. */
export const RETRY: readonly Turn[] = [
  [called('c1', 'weather', { city: 'Nowhere' }), called('c2', 'tides', { city: 'Oslo' })],
  [called('c3', 'weather', { city: 'Oslo' })],
  [said('It is 5 degrees')],
];

export function scriptedAgent(turns: readonly Turn[], more: object = {}): Agent {
  const model = scriptedModel(turns);
  return new Agent({ name: 'guide', instructions: 'Help.', model, tools: weatherTools(), ...more });
}
