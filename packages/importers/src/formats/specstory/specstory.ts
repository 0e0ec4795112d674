import { RecordingError } from '../../errors/errors.ts';
import { type DefinedImporter, defineImporter } from '../../importer/define-importer.ts';
import type { RecordedRun } from '../../importer/importer.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import {
  type Conversation,
  createConversation,
  toolCall,
  toolResult,
} from '../../messages/conversation.ts';
import { findElements } from '../../messages/elements.ts';

const BLOCK = /<(tool-use|think)\b[^>\n]{0,300}>/g;
const HEADING = /^_\*\*(User|Agent)\b([^\n]*)\*\*_[ \t]*$/m;
const SESSION = /^<!-- (.{1,60}?) Session (\S+) \((\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\dZ?)/m;
const MODEL = /\(([^\s()]+) \d{4}-/;
const FAILED = /^(?:Error:|<tool_use_error>)/;

/**
 * SpecStory's Markdown transcripts of Claude Code, Cursor, Codex and other sessions. Tool inputs are kept as
 * shown.
 */
export const specStoryImporter: DefinedImporter = /* @__PURE__ */ defineImporter({
  name: 'specstory',
  title: 'SpecStory transcripts (Markdown)',
  docs: {
    file: 'Markdown, `_**User**_` and `_**Agent**_` before each turn',
    where: '`.specstory/history/*.md`',
    thought: "the agent's text, `<think>`",
    toolCall: '`<tool-use data-tool-name=…>`',
    error: 'a result that starts with `Error:`',
    success: 'not recorded',
  },
  samples: () => import('./samples.ts').then(({ samples }) => samples),
  detect: (value) =>
    textOf(value) === undefined ? undefined : { seen: '_**User**_ turns', fit: 'distinct' },
  *read(value) {
    const text = textOf(value);
    if (text === undefined) throw new RecordingError('recording', 'a transcript', value);
    yield readTranscript(text, value);
  },
});

function textOf(value: JsonValue): string | undefined {
  const text = isJsonObject(value) ? value.specstory : undefined;
  return typeof text === 'string' && HEADING.test(text) ? text : undefined;
}

function readTranscript(text: string, record: JsonValue): RecordedRun {
  const conversation = createConversation();
  const speaker = createSpeaker(conversation);
  let from = 0;
  let calls = 0;
  for (const { name, start, end, content } of findElements(text, BLOCK)) {
    speaker.read(text.slice(from, start));
    if (name === 'think') conversation.addThought(withoutDetails(content), true);
    else readCall(text.slice(start, start + 400), content, `tool-${calls++}`, conversation);
    from = end;
  }
  speaker.read(text.slice(from));
  const [, program, id, date, time] = SESSION.exec(text) ?? [];
  return {
    ...conversation.finish(),
    source: id === undefined ? {} : { session_id: id },
    createdAt: date === undefined ? undefined : `${date}T${time}`,
    model: speaker.model(),
    framework: program === undefined ? 'specstory' : program.toLowerCase().replaceAll(' ', '-'),
    record,
  };
}

/** Reads text between blocks. The heading above it names the speaker. */
function createSpeaker(conversation: Conversation) {
  let speaker: 'User' | 'Agent' | undefined;
  let model: string | undefined;
  const say = (words: string): void => {
    const said = words.replace(/^---[ \t]*$/gm, '').trim();
    if (said === '' || speaker === undefined) return;
    if (speaker === 'User') conversation.addUserMessage(said);
    else conversation.addThought(said);
  };
  return {
    model: () => model,
    read(text: string): void {
      let rest = text;
      for (let found = HEADING.exec(rest); found !== null; found = HEADING.exec(rest)) {
        say(rest.slice(0, found.index));
        speaker = found[1] as 'User' | 'Agent';
        model ??= speaker === 'Agent' ? MODEL.exec(found[2] ?? '')?.[1] : undefined;
        rest = rest.slice(found.index + found[0].length);
      }
      say(rest);
    },
  };
}

function readCall(tag: string, content: string, id: string, conversation: Conversation): void {
  const name =
    /data-tool-name="([^"]+)"/.exec(tag)?.[1] ?? /data-tool-type="([^"]+)"/.exec(tag)?.[1];
  const shown = withoutDetails(content);
  const fence = /^```[^\n]*\n/m.exec(shown);
  const given = fence === null ? shown : shown.slice(0, fence.index);
  conversation.addSteps(toolCall(name ?? 'tool', given.trim(), id, 'tool-use'));
  if (fence === null) return;
  const result = shown.slice(fence.index + fence[0].length).replace(/\n?```\s*$/, '');
  conversation.addSteps(toolResult(result, id, FAILED.test(result) ? 'text' : undefined));
}

function withoutDetails(content: string): string {
  return content
    .replace(/^\s*<details[^>]*>\s*/, '')
    .replace(/^<summary>[^\n]*<\/summary>\s*/, '')
    .replace(/\s*<\/details>\s*$/, '')
    .trim();
}
