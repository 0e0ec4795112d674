import { BUILT_IN_IMPORTERS, detectFormat, toJson } from '@kp/importers';
import { IntegrationError } from './integration-error.ts';
import { describeObject, isObject } from './json-values.ts';

/** What reads the objects of each library, by the format that they are in. */
const READERS: Readonly<Record<string, string>> = {
  'ai-sdk': 'tracesFrom of @kp/importers (fromAiSdk takes the result itself)',
  'openai-agents': 'fromOpenAiAgents of @kp/integrations/openai-agents',
  'openai-responses': 'fromOpenAiAgents of @kp/integrations/openai-agents',
  langchain: 'fromLangChain of @kp/integrations/langchain',
  mastra: 'fromMastra of @kp/integrations/mastra',
  'claude-code': 'fromClaudeAgent of @kp/integrations/claude-agent',
};

/**
 * The error for an object that is not what an entry reads; it says what does, where that is known.
 *
 * @param library - what the entry reads, as a message names it.
 */
export function unknownObject(
  library: string,
  value: unknown,
  expected: string = 'a run or messages of its format',
): IntegrationError {
  return new IntegrationError('OBJECT_UNKNOWN', {
    subject: library,
    expected,
    received: describeObject(value),
    remedy: remedyFor(value),
  });
}

function remedyFor(value: unknown): string {
  const [step]: unknown[] = isObject(value) && Array.isArray(value.steps) ? value.steps : [];
  if (isObject(step) && Array.isArray(step.content)) {
    return 'This is a result of the AI SDK: call fromAiSdk of @kp/integrations/ai-sdk.';
  }
  if (isObject(step) && 'stepType' in step) {
    return 'This is a result of ai 4: npm install ai@7 (5 and 6 are read as well).';
  }
  const found = detectFormat(toJson(value) ?? null, BUILT_IN_IMPORTERS, 1);
  if (!('read' in found)) {
    return 'Hand over what the library gave, or make a trace with createTrace of @kp/schema.';
  }
  const reader = READERS[found.name] ?? 'tracesFrom of @kp/importers';
  return `This is in the format ${found.name}: call ${reader}.`;
}
