import { asObjects, isJsonObject, type JsonObject } from '../json/json-value.ts';

/** Families of messages whose role and content look like a chat's but are written otherwise. */
export type ForeignFamily = 'bedrock-converse' | 'gemini' | 'mastra' | 'magentic-one';

const BEDROCK_BLOCKS = ['toolUse', 'toolResult', 'reasoningContent', 'cachePoint'];
/** The members of the team of magentic-one, by the names it gives them. */
const TEAM = /^(?:(?:Magentic\w*)?Orchestrator\b|WebSurfer$|FileSurfer$|ComputerTerminal$)/;

/** Which of these families wrote a message, and by what it is known; undefined if none did. */
export function findForeignMark(message: JsonObject): [ForeignFamily, string] | undefined {
  const { role, content, parts } = message;
  const blocks = asObjects(content);
  const untyped = blocks.filter((block) => !('type' in block));
  if (untyped.some((block) => BEDROCK_BLOCKS.some((name) => isJsonObject(block[name])))) {
    return ['bedrock-converse', 'toolUse blocks'];
  }
  if (blocks.length > 0 && untyped.length === blocks.length && 'text' in (blocks[0] ?? {})) {
    return ['bedrock-converse', 'content[].text without a type'];
  }
  const bare = asObjects(parts).filter((part) => !('type' in part));
  if (bare.length > 0) return ['gemini', 'parts[] without a type'];
  if (isMastraContent(content)) return ['mastra', 'content of format 2'];
  if (typeof role === 'string' && TEAM.test(role)) return ['magentic-one', `role ${role}`];
  return undefined;
}

/** The content of a stored message of Mastra, an object or, as databases have it, its JSON. */
export function isMastraContent(content: unknown): boolean {
  if (typeof content === 'string') return /^\s*\{\s*"format":\s*[23]\s*,/.test(content);
  return isJsonObject(content) && typeof content.format === 'number' && 'parts' in content;
}
