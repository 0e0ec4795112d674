import { type Node, parseSync } from 'oxc-parser';

/** A string that a person may read: a help text, a message or a part of an error. */
export interface Message {
  readonly file: string;
  readonly line: number;
  /** With `{…}` for values filled in at run time. */
  readonly text: string;
}

/** Which strings of a file are messages: all sentences, or only the parts of errors. */
export type MessageScope = 'sentences' | 'errors';

/**
 * Returns the messages in a TypeScript source, in order.
 *
 * @throws Error when the source cannot be parsed.
 */
export function findMessages(file: string, source: string, scope: MessageScope): Message[] {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const found: Message[] = [];
  visit(program, scope === 'sentences', (node) => {
    const text = textOf(node, source);
    if (!isSentence(text)) return;
    const line = source.slice(0, node.start).split('\n').length;
    found.push({ file, line, text });
  });
  return found;
}

type StringNode = Extract<Node, { type: 'Literal' | 'TemplateLiteral' }>;

/**
 * @param isInside - whether strings at this point are messages; an error sets it for its content.
 */
function visit(node: unknown, isInside: boolean, report: (node: StringNode) => void): void {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, isInside, report);
    return;
  }
  if (!isNode(node)) return;
  if (isSkipped(node)) return;
  const isString = node.type === 'Literal' && typeof node.value === 'string';
  if (isInside && (isString || node.type === 'TemplateLiteral')) report(node as StringNode);
  const inside = isInside || makesError(node);
  for (const value of Object.values(node)) {
    if (typeof value === 'object' && value !== null) visit(value, inside, report);
  }
}

function isNode(value: unknown): value is Node {
  return typeof Object(value).type === 'string';
}

function isSkipped({ type }: Node): boolean {
  return /^(Import|ExportAll|TS(Type|Literal|Union|Interface))/.test(type);
}

const ERROR_NAME = /Error$/;
/** Functions that create errors or reject values. */
const ERROR_FUNCTION = /^(check|refuse|refused|conflict|wrongUse|invalid|fail|reject)/;

function makesError(node: Node): boolean {
  if (node.type === 'ThrowStatement') return true;
  if (node.type === 'ClassDeclaration') return ERROR_NAME.test(nameOf(node.superClass));
  if (node.type === 'NewExpression') return ERROR_NAME.test(nameOf(node.callee));
  return node.type === 'CallExpression' && ERROR_FUNCTION.test(nameOf(node.callee));
}

function nameOf(node: Node | null): string {
  return node?.type === 'Identifier' ? node.name : '';
}

function textOf(node: StringNode, source: string): string {
  if (node.type !== 'TemplateLiteral') return String(node.value);
  return node.quasis
    .map(({ value }, index) => {
      const expression = node.expressions[index];
      if (expression === undefined) return value.cooked ?? value.raw;
      return `${value.cooked ?? value.raw}{${source.slice(expression.start, expression.end)}}`;
    })
    .join('');
}

/** Whether a text has at least two words, one of them with letters: not a name or a layout. */
function isSentence(text: string): boolean {
  return /\p{Ll}{2}/u.test(text) && /\S\s+\S/.test(text.trim());
}
