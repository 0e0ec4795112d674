import { describe, expect, it } from 'bun:test';
import { createLexicalEmbedder } from '@kp/embedder';
import { parseTrace } from '@kp/schema';
import { createScorer } from '@kp/scoring';
import * as ai5 from 'ai-5';
import { MockLanguageModelV2 } from 'ai-5/test';
import * as ai6 from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import * as ai7 from 'ai-7';
import { MockLanguageModelV4 } from 'ai-7/test';
import * as z from 'zod';
import { createAiSdkScorer, fromAiSdk } from './ai-sdk.ts';
import type { LiveScore } from './live/live-scorer.ts';
import type { IntegrationError } from './run/integration-error.ts';

// The three versions have types of their own for one and the same program.
interface Sdk {
  generateText(options: object): Promise<unknown>;
  tool(definition: object): unknown;
  stepCountIs(count: number): unknown;
}
const VERSIONS = [
  ['5', ai5 as unknown as Sdk, MockLanguageModelV2, (reason: string) => reason],
  ['6', ai6 as unknown as Sdk, MockLanguageModelV3, unified],
  ['7', ai7 as unknown as Sdk, MockLanguageModelV4, unified],
] as const;

function unified(reason: string) {
  return { unified: reason, raw: reason };
}

/** A run with two steps: reasoning and two calls, one of which fails, then the answer. */
async function weatherRun(
  [version, sdk, Model, finish]: (typeof VERSIONS)[number],
  further: object = {},
) {
  const total = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  const usage =
    version === '5'
      ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
      : { inputTokens: total, outputTokens: total };
  let call = 0;
  const answers = [
    {
      content: [
        { type: 'reasoning', text: 'Two places to ask' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: '{"city":"Oslo"}' },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'tides', input: '{"city":"Oslo"}' },
      ],
      finishReason: finish('tool-calls'),
      usage,
      warnings: [],
    },
    {
      content: [{ type: 'text', text: 'It is 5 degrees' }],
      finishReason: finish('stop'),
      usage,
      warnings: [],
    },
  ];
  const model = new Model({ doGenerate: async () => answers[call++] as never });
  const inputSchema = z.object({ city: z.string() });
  return sdk.generateText({
    model,
    prompt: 'What is the weather in Oslo?',
    stopWhen: sdk.stepCountIs(5),
    tools: {
      weather: sdk.tool({
        inputSchema,
        execute: async ({ city }: { city: string }) => ({ city, celsius: 5 }),
      }),
      tides: sdk.tool({
        inputSchema,
        execute: async () => {
          throw new Error('no coast station');
        },
      }),
    },
    ...further,
  });
}

describe.each(VERSIONS)('ai %s', (...version) => {
  const prompt = 'What is the weather in Oslo?';

  it('gives a trace with every step of the run', async () => {
    const result = await weatherRun(version);
    const { trace, provenance } = await fromAiSdk(result, { prompt, success: true });
    expect(parseTrace(trace)).toEqual(trace);
    expect(trace.task.objective).toBe(prompt);
    expect(trace.steps.map(({ type, tool }) => tool?.name ?? type)).toEqual([
      'thought',
      'weather',
      'tides',
      'observation',
      'observation',
      'error_recovery',
    ]);
    expect(trace.steps[1]?.input).toEqual({ city: 'Oslo' });
    expect(trace.steps[3]?.content).toBe('{"city":"Oslo","celsius":5}');
    expect(trace.steps[4]?.content).toBe('Error: no coast station');
    expect(provenance).toMatchObject({ success: 'given', model: 'mock-model-id' });
  });

  it('says that a success was assumed where nothing says it', async () => {
    const { trace, provenance } = await fromAiSdk(await weatherRun(version), { prompt });
    expect([trace.metadata.success, provenance.success]).toEqual([true, 'assumed']);
  });

  it('scores live, when the run has ended', async () => {
    const scores: LiveScore[] = [];
    const scorer = createScorer({ embedder: createLexicalEmbedder() });
    const live = createAiSdkScorer({ scorer, onScore: (score) => void scores.push(score) });
    if (version[0] === '5') {
      // generateText of version 5 tells nobody of its end.
      live.forRun({ prompt }).onFinish(await weatherRun(version));
    } else {
      await weatherRun(version, live.forRun({ prompt }));
    }
    await live.flush();
    expect(scores.map(({ trace }) => trace.steps.length)).toEqual([6]);
    expect(scores[0]?.report.score).toBeGreaterThan(0);
  });
});

describe('fromAiSdk', () => {
  it.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ steps: [] as unknown[], text: '' }],
    [{ steps: [{}] }],
    [[{ role: 'user', content: 'hello' }]],
  ])('refuses %p and says what to call', async (value) => {
    const error = (await fromAiSdk(value).catch((cause) => cause)) as IntegrationError;
    expect(['OBJECT_UNKNOWN', 'RUN_EMPTY']).toContain(error.code);
    expect(error.message).toMatch(
      /expected .* received .*; (?:this is in the format openai-chat: call|pass )/,
    );
  });

  it('takes what a conversation held before as asked, and its first question as objective', async () => {
    const step = { content: [{ type: 'text', text: 'Tomorrow.' }] };
    const messages = [
      { role: 'system', content: 'Be short' },
      { role: 'user', content: [{ type: 'text', text: 'When does the ferry go?' }] },
      { role: 'user', content: 'And back?' },
    ];
    const { trace } = await fromAiSdk({ steps: [step] }, { messages });
    expect(trace.task.objective).toBe('When does the ferry go?');
    expect(trace.steps.map(({ type, content }) => [type, content])).toEqual([
      ['observation', 'And back?'],
      ['thought', 'Tomorrow.'],
    ]);
  });
});
