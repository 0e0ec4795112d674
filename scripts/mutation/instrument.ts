import { parseSync } from 'oxc-parser';

/** One small change of a source file, switched on by its number in a run of the tests. */
export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  /** What kind of change it is. */
  readonly kind: string;
  readonly original: string;
  readonly replacement: string;
  /** The same from one revision to the next, as long as the code it changes stays. */
  readonly key: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const SWAPS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '++': ['--'],
  '--': ['++'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '??=': ['='],
  '<<=': ['>>='],
};
const METHOD_SWAPS: Readonly<Record<string, string>> = {
  'Math.min': 'Math.max',
  'Math.max': 'Math.min',
  'Math.floor': 'Math.ceil',
  'Math.ceil': 'Math.floor',
};

/**
 * Puts all mutants of a file into it at once, each behind a switch.
 *
 * Changed are operators, conditions, numbers, booleans, statements and bodies of functions; types are
 * left alone, and texts unless they are asked for.
 *
 * @param firstId - number of the first mutant; the others count on.
 * @param switchPath - path of the module of {@link switchModule}.
 * @param withTexts - also empties each text.
 */
export function instrument(
  file: string,
  source: string,
  firstId: number,
  switchPath: string,
  withTexts = false,
): { code: string; mutants: Mutant[] } {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const occurrences = new Map<string, number>();

  const add = (node: Node, kind: string, replacement: string): string => {
    const original = source.slice(node.start, node.end);
    const name = `${file} | ${kind} | ${oneLine(original)} | ${oneLine(replacement)}`;
    const count = (occurrences.get(name) ?? 0) + 1;
    occurrences.set(name, count);
    const line = source.slice(0, node.start).split('\n').length;
    const id = firstId + mutants.length;
    const key = count === 1 ? name : `${name} | ${count}`;
    mutants.push({ id, file, line, kind, original, replacement, key });
    return `isOn(${id})`;
  };
  const raw = (node: unknown): string => source.slice((node as Node).start, (node as Node).end);
  const expression = (node: Node, variants: readonly (readonly [string, string])[]): string => {
    const tests = variants.map(([kind, text]) => `${add(node, kind, text)} ? (${text}) : `);
    return `(${tests.join('')}${inside(node)})`;
  };
  /** The text of a node with the mutants of its children in it. */
  const inside = (node: Node): string => {
    let text = '';
    let from = node.start;
    for (const child of childrenOf(node)) {
      text += source.slice(from, child.start) + rendered(child, node);
      from = child.end;
    }
    return text + source.slice(from, node.end);
  };
  const rendered = (node: Node, parent: Node): string => {
    if (isOfTypes(node)) return raw(node);
    if (node.type === 'ExpressionStatement' && typeof node.directive !== 'string') {
      if (/^super\b/.test(raw(node))) return inside(node);
      return `{ if (!${add(node, 'statement', '')}) { ${inside(node)} } }`;
    }
    if (node.type === 'BlockStatement' && /^(Arrow)?Function/.test(parent.type)) {
      const isWorthIt = (node.body as Node[]).length > 0 && parent.kind !== 'constructor';
      if (!isWorthIt || /^{\s*super\b|\bsuper\(/.test(raw(node))) return inside(node);
      return `{ if (!${add(node, 'body', '{}')}) ${inside(node)} return undefined as never; }`;
    }
    const variants =
      withTexts && isText(node, parent) ? emptied(node) : variantsOf(node, parent, raw);
    return variants.length === 0 ? inside(node) : expression(node, variants);
  };
  const code = inside(program as unknown as Node);
  return { code: `import { isOn } from '${switchPath}';\n${code}`, mutants };
}

/** The module that knows which mutant is on, and in a run without one which were reached. */
export const switchModule: string = `
const { process } = globalThis;
const active = Number(process?.env?.KP_MUTANT ?? -1);
const coverage = process?.env?.KP_MUTATION_COVERAGE;
// Now, as a test may take it away to be a browser.
const fs = coverage && process.getBuiltinModule('node:fs');
const reached = new Set<number>();
export function isOn(id: number): boolean {
  // At once, as no test runner tells of its end, and a process may be killed.
  if (coverage !== undefined && !reached.has(id)) {
    reached.add(id);
    fs.appendFileSync(coverage, id + '\\n');
  }
  return id === active;
}
`;

function variantsOf(
  node: Node,
  parent: Node,
  raw: (node: unknown) => string,
): (readonly [string, string])[] {
  const operator = String(node.operator);
  const variants: (readonly [string, string])[] = [];
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
    const isJoined = operator === '+' && /['"`]/.test(raw(node));
    for (const swapped of isJoined ? [] : (SWAPS[operator] ?? [])) {
      variants.push(['operator', `(${raw(node.left)}) ${swapped} (${raw(node.right)})`]);
    }
  } else if (node.type === 'UnaryExpression' && (operator === '!' || operator === '-')) {
    variants.push(['operator', raw(node.argument)]);
  } else if (node.type === 'UpdateExpression') {
    const swapped = SWAPS[operator]?.[0] as string;
    const argument = raw(node.argument);
    variants.push(['operator', node.prefix ? swapped + argument : argument + swapped]);
  } else if (node.type === 'AssignmentExpression') {
    for (const swapped of SWAPS[operator] ?? []) {
      variants.push(['operator', `${raw(node.left)} ${swapped} ${raw(node.right)}`]);
    }
  } else if (node.type === 'Literal' && typeof node.value === 'number') {
    // Beyond 2 ** 53 one more may be the same number.
    if (node.value + 1 !== node.value) variants.push(['number', String(node.value + 1)]);
  } else if (node.type === 'Literal' && typeof node.value === 'boolean') {
    variants.push(['boolean', String(!node.value)]);
  } else if (node.type === 'CallExpression' && METHOD_SWAPS[raw(node.callee)] !== undefined) {
    const callee = raw(node.callee);
    variants.push(['method', METHOD_SWAPS[callee] + raw(node).slice(callee.length)]);
  }
  if (parent.test === node && parent.type !== 'SwitchCase') {
    const isLoop = /^(For|While|DoWhile)/.test(parent.type);
    variants.push(['condition', 'false']);
    if (!isLoop) variants.push(['condition', 'true']);
  }
  return variants;
}

function isText(node: Node, parent: Node): boolean {
  if (node.type === 'TemplateLiteral') return parent.type !== 'TaggedTemplateExpression';
  return (
    node.type === 'Literal' && typeof node.value === 'string' && parent.directive === undefined
  );
}

function emptied(node: Node): (readonly [string, string])[] {
  return [['text', node.value === '' ? "'text'" : "''"]];
}

/** Children in the order of the text; of nested properties what may be changed in place. */
function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const [field, value] of Object.entries(node)) {
    if (isFixed(node, field)) continue;
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each?.type === 'string' && typeof each.start === 'number') children.push(each);
    }
  }
  return children.sort((a, b) => a.start - b.start);
}

function isFixed(node: Node, field: string): boolean {
  if (field === 'key' || field === 'property') return node.computed !== true;
  if (field === 'left' && /^(Assignment|For(In|Of))/.test(node.type)) return true;
  return field === 'argument' && node.type === 'UpdateExpression';
}

/** Whether a node is of types alone, or of modules. */
function isOfTypes(node: Node): boolean {
  if (/^TS(AsExpression|NonNullExpression|SatisfiesExpression)$/.test(node.type)) return false;
  return /^(TS|Import|ExportAll)/.test(node.type) || node.declare === true;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 160);
}
