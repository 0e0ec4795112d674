import { describe, expect, it } from 'bun:test';
import { RecordingError } from '../src/errors/errors.ts';
import { BUILT_IN_IMPORTERS } from '../src/index.ts';
import type { JsonValue } from '../src/json/json-value.ts';

/** What each format says of a text where a recording should be; '' where it reads no run. */
const REFUSALS: Readonly<Record<string, string>> = {
  kp: '',
  'openai-chat': 'RecordingError: recording: expected an array of messages, received "a text"',
  anthropic: 'RecordingError: recording: expected an array of messages, received "a text"',
  'ai-sdk': 'RecordingError: recording: expected an array of messages, received "a text"',
  langchain: 'RecordingError: recording: expected an array of messages, received "a text"',
  'claude-code': 'RecordingError: recording: expected an array of events, received "a text"',
  tau2: 'RecordingError: recording: expected an object, received "a text"',
  'mini-swe-agent': 'RecordingError: recording: expected an object, received "a text"',
  'swe-agent': 'RecordingError: recording: expected an object, received "a text"',
  atif: '',
  inspect: 'RecordingError: recording: expected an object, received "a text"',
  'otel-genai': '',
  openinference: '',
  'openai-responses': 'a run',
  'bedrock-converse': 'RecordingError: recording: expected an array of messages, received "a text"',
  gemini: 'RecordingError: recording: expected an array of contents, received "a text"',
  'gemini-cli': 'RecordingError: recording: expected a session, received "a text"',
  'google-adk': 'RecordingError: events: expected an array, received nothing',
  codex: 'RecordingError: recording: expected an array of records, received "a text"',
  'codex-exec': 'RecordingError: recording: expected events of codex exec, received "a text"',
  'openai-agents': 'RecordingError: recording: expected a run of the Agents SDK, received "a text"',
  openhands: 'RecordingError: runs[0]: expected a result with history[], received "a text"',
  'ai-sdk-stream': 'RecordingError: recording: expected an array of chunks, received "a text"',
  mastra: 'RecordingError: recording: expected an array of messages, received "a text"',
  medagentbench: 'RecordingError: recording: expected a run, received "a text"',
  'magentic-one': 'RecordingError: recording: expected an array of messages, received "a text"',
  langfuse: 'RecordingError: observations: expected an array, received "a text"',
  langsmith: 'RecordingError: recording: expected runs of LangSmith, received "a text"',
  'claude-managed-agents':
    'RecordingError: recording: expected events of a session, received "a text"',
  opencode: 'RecordingError: recording: expected a session of opencode, received "a text"',
  pi: 'RecordingError: recording: expected an array of events, received "a text"',
  cline: 'RecordingError: recording: expected an array of messages, received "a text"',
  'langgraph-stream': 'RecordingError: recording: expected an array of pairs, received "a text"',
  livemcpbench: 'RecordingError: recording: expected an array of messages, received "a text"',
  'chat-dataset': 'RecordingError: recording: expected a conversation, received "a text"',
  'api-traffic': 'RecordingError: recording: expected calls of a model, received "a text"',
};

describe('nothing where a recording should be', () => {
  it.each(BUILT_IN_IMPORTERS.map((importer) => [importer.name, importer] as const))(
    'is not taken for one by %s, nor misread',
    (_name, importer) => {
      for (const value of [null, true, 0, '', [], {}]) {
        expect(importer.detect(value)).toBeUndefined();
        expect(importer.pieceOf?.(value)).toBeUndefined();
        try {
          for (const run of importer.read(value)) void run;
        } catch (error) {
          expect(error).toBeInstanceOf(RecordingError);
        }
      }
    },
  );
});

describe('a text where a recording should be', () => {
  it.each(BUILT_IN_IMPORTERS.map((importer) => [importer.name, importer] as const))(
    'is refused by %s with a word of what is expected',
    (name, importer) => {
      let said = '';
      try {
        said = [...importer.read('a text')]
          .map((run) => (run instanceof Error ? `${run}` : 'a run'))
          .join();
      } catch (error) {
        said = `${error}`;
      }
      expect(said).toBe(REFUSALS[name] as string);
    },
  );
});

describe('a message that stands by itself', () => {
  const takers = (value: JsonValue): string[] =>
    BUILT_IN_IMPORTERS.filter(({ pieceOf }) => pieceOf?.(value) !== undefined).map(
      ({ name }) => name,
    );

  it('is a piece of a run to each format whose messages have a role', () => {
    expect(takers({ role: 'user', content: 'Go.' })).toEqual([
      'openai-chat',
      'anthropic',
      'ai-sdk',
      'openai-responses',
      'bedrock-converse',
      'gemini',
      'codex',
      'mastra',
      'magentic-one',
      'cline',
    ]);
    expect(takers({ role: 'user' })).toEqual([]);
  });
});
