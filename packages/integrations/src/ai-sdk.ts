import { type RecordedRun, type RecordedStep, toJson } from '@kp/importers';
import { createLiveScorer, type LiveScorer, type LiveScorerOptions } from './live/live-scorer.ts';
import { type FinishedRun, finishRun, type ReadRun, type RunFacts } from './run/finished-run.ts';
import { asText, isObject, toolCallStep } from './run/json-values.ts';
import { unknownObject } from './run/unknown-object.ts';

/** What the AI SDK does not keep with a result. */
export interface AiSdkFacts extends RunFacts {
  /** What was given to `generateText` or `streamText` as `prompt`. */
  readonly prompt?: string | readonly unknown[];
  /** What was given as `messages`. */
  readonly messages?: readonly unknown[];
}

/**
 * The trace of a run of the AI SDK (`ai` 5, 6 and 7): of `generateText` and agents, or of
 * `streamText` once its stream has ended. All steps of it, whatever `response.messages` leaves out.
 *
 * @param result - what the SDK gave.
 * @param facts - what the SDK does not keep.
 * @throws `IntegrationError` `OBJECT_UNKNOWN` when it is no such result, `RUN_EMPTY` when it has
 * no step.
 */
export async function fromAiSdk(result: unknown, facts: AiSdkFacts = {}): Promise<FinishedRun> {
  return finishRun(readAiSdkResult(result, await stepsOf(result), facts), facts);
}

/** Options of `generateText` and `streamText` that score every run. */
export interface AiSdkScoring {
  /** Give it to `generateText`, `streamText` or an agent: it is told when the run has ended. */
  readonly onFinish: (event: unknown) => void;
}

/**
 * A live scorer for the AI SDK: `streamText({ …, ...scoring.forRun({ prompt }) })`.
 */
export interface AiSdkScorer extends LiveScorer {
  /**
   * Options to spread into one call of the SDK.
   *
   * @param facts - what the SDK does not keep.
   */
  forRun(facts?: AiSdkFacts): AiSdkScoring;
}

/** @throws `IntegrationError` `OPTION_INVALID` when an option is not usable. */
export function createAiSdkScorer(options: LiveScorerOptions): AiSdkScorer {
  const live = createLiveScorer(options);
  return Object.assign(live, {
    forRun: (facts: AiSdkFacts = {}): AiSdkScoring => ({
      onFinish(event) {
        live.add(() => readAiSdkResult(event, Reflect.get(Object(event), 'steps'), facts), facts);
      },
    }),
  });
}

/** `steps` is a promise on the result of `streamText`. */
async function stepsOf(result: unknown): Promise<unknown> {
  return isObject(result) ? await result.steps : undefined;
}

/**
 * As {@link fromAiSdk}, of steps that are there already.
 *
 * @param result - what the SDK gave.
 * @param steps - its steps, awaited.
 * @param facts - what the SDK does not keep.
 */
export function readAiSdkResult(result: unknown, steps: unknown, facts: AiSdkFacts): ReadRun {
  if (!Array.isArray(steps) || !steps.every((step) => Array.isArray(contentOf(step)))) {
    const expected = 'a result of generateText, streamText or an agent of ai 5, 6 or 7';
    throw unknownObject('AI SDK result', result, expected);
  }
  const before = [...asMessages(facts.prompt), ...(facts.messages ?? [])];
  const [question, ...asked] = before.flatMap(userTexts);
  const first = steps[0];
  const run: RecordedRun = {
    source: runNames(steps),
    objective: question,
    createdAt: createdAt(first),
    model: modelOf(first),
    framework: 'ai-sdk',
    steps: [
      ...asked.map((content): RecordedStep => ({ kind: 'observation', role: 'user', content })),
      ...steps.flatMap((step) => (contentOf(step) ?? []).flatMap(readPart)),
    ],
    record: toJson(steps) ?? null,
  };
  return { format: 'ai-sdk', run };
}

function contentOf(step: unknown): unknown[] | undefined {
  const content = isObject(step) ? step.content : undefined;
  return Array.isArray(content) ? content : undefined;
}

/** A part of a step; kinds without text, such as files and sources, are none. */
function readPart(part: unknown): RecordedStep[] {
  if (!isObject(part)) return [];
  const callId = typeof part.toolCallId === 'string' ? part.toolCallId : undefined;
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const content = asText(part.text);
      return content.trim() === '' ? [] : [{ kind: 'thought', content }];
    }
    case 'tool-call': {
      return [toolCallStep(part.toolName, part.input, callId)];
    }
    case 'tool-result':
      return [{ kind: 'observation', content: asText(part.output), callId }];
    case 'tool-error':
      return [{ kind: 'observation', content: asText(part.error), callId, error: 'flag' }];
    default:
      return [];
  }
}

function asMessages(prompt: AiSdkFacts['prompt']): readonly unknown[] {
  if (prompt === undefined) return [];
  return typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
}

function userTexts(message: unknown): string[] {
  if (!isObject(message) || message.role !== 'user') return [];
  const { content, parts } = message;
  if (typeof content === 'string') return [content];
  const list = Array.isArray(content) ? content : Array.isArray(parts) ? parts : [];
  const texts = list.flatMap((part) =>
    isObject(part) && part.type === 'text' ? asText(part.text) : [],
  );
  return texts.length === 0 ? [] : [texts.join('\n')];
}

function runNames(steps: readonly unknown[]): Record<string, string> {
  const response = isObject(steps[0]) ? steps[0].response : undefined;
  const id = isObject(response) ? response.id : undefined;
  return typeof id === 'string' ? { response: id } : {};
}

function createdAt(step: unknown): string | undefined {
  const response = isObject(step) ? step.response : undefined;
  const time = isObject(response) ? response.timestamp : undefined;
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.toISOString();
  return typeof time === 'string' ? time : undefined;
}

function modelOf(step: unknown): string | undefined {
  if (!isObject(step)) return undefined;
  const { model, response } = step;
  const named = isObject(model) ? model.modelId : isObject(response) ? response.modelId : undefined;
  return typeof named === 'string' ? named : undefined;
}
