import { createMask } from './mask-values.ts';
import { SECRET_PATTERNS, type SecretPattern } from './secret-patterns.ts';
import { type Lint, loadSecretlint } from './secretlint.ts';

/** Something found that should not leave the machine. It never holds the value itself. */
export interface SecretFinding {
  /**
   * JSON Pointer (RFC 6901) to the text, such as `/steps/3/content`; what was found in the name of a
   * field is at `/steps/3/input/(name)`.
   */
  readonly path: string;
  /** `github-token`, `e-mail-address`, `user-name-in-path` … */
  readonly kind: string;
  /** Where in the text, in UTF-16 code units from 0. */
  readonly start: number;
  /** The code unit behind its last one. */
  readonly end: number;
}

/** What else to look for, and what to leave alone. */
export interface SecretScanOptions {
  /** Further patterns, beside the built-in ones. */
  readonly patterns?: readonly SecretPattern[];
  /** What fits one of these is left alone, such as a project's public address. */
  readonly allow?: readonly RegExp[];
}

/** What a scan of one trace gives. */
export interface SecretScan {
  /** In the order of the trace; those of one text do not overlap. */
  readonly findings: readonly SecretFinding[];
  /**
   * The same trace with every value found replaced by `[kind-number]`, wherever it stands, the same
   * value by the same. Unchanged, and the same object, when nothing was found.
   *
   * @param trace - the one that was scanned.
   */
  mask<Trace>(trace: Trace): Trace;
}

/** Looks for secrets and personal data in all texts of a trace, names of fields included. */
export interface SecretScanner {
  /**
   * Looks through one trace.
   *
   * @param trace - any value made of objects, arrays and texts.
   */
  scan(trace: unknown): Promise<SecretScan>;
}

/**
 * A scanner made of secretlint's recommended rules and `SECRET_PATTERNS`. Comments that switch
 * secretlint off have no effect: a recording does not decide what is looked for in it.
 *
 * @throws `DependencyError` with the code `DEPENDENCY_MISSING` if secretlint is not installed,
 * `DEPENDENCY_BROKEN` if its version is not supported.
 */
export async function createSecretScanner(options: SecretScanOptions = {}): Promise<SecretScanner> {
  const lint = await loadSecretlint();
  const patterns = [...SECRET_PATTERNS, ...(options.patterns ?? [])];
  const allow = options.allow ?? [];
  return {
    async scan(trace) {
      const texts = collectTexts(trace);
      const spans = texts.map((text) => matchPatterns(text, patterns));
      for (const [row, span] of await lintTexts(texts, lint)) spans[row]?.push(span);
      return createScan(texts, spans, allow);
    },
  };
}

/** A text of a trace, and what is written before it for patterns that need it: `password = `. */
interface TraceText {
  readonly path: readonly string[];
  readonly context: string;
  readonly text: string;
}

interface Span {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

function collectTexts(trace: unknown): TraceText[] {
  const texts: TraceText[] = [];
  const collect = (value: unknown, path: readonly string[], context: string): void => {
    if (typeof value === 'string') texts.push({ path, context, text: value });
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) texts.push({ path: [...path, '(name)'], context: '', text: name });
      collect(inner, [...path, name], Array.isArray(value) ? context : `${name} = `);
    }
  };
  collect(trace, [], '');
  return texts;
}

function matchPatterns({ context, text }: TraceText, patterns: readonly SecretPattern[]): Span[] {
  const content = context + text;
  const spans: Span[] = [];
  for (const { kind, pattern, isHarmless } of patterns) {
    for (const match of content.matchAll(pattern)) {
      const value = match.groups?.value ?? match[0];
      if (isHarmless?.(value) === true) continue;
      const start = match.index + match[0].lastIndexOf(value) - context.length;
      if (start >= 0) spans.push({ kind, start, end: start + value.length });
    }
  }
  return spans;
}

/** One call for all texts, because each call costs more than most texts do. */
async function lintTexts(texts: readonly TraceText[], lint: Lint): Promise<[number, Span][]> {
  const starts: number[] = [];
  let content = '';
  for (const { context, text } of texts) {
    starts.push(content.length + context.length);
    content += `${context}${text}\n\n`;
  }
  const found: [number, Span][] = [];
  for (const { kind, start, end } of await lint(content)) {
    const row = starts.findLastIndex((each) => each <= start);
    const { text } = texts[row] ?? {};
    const at = start - (starts[row] ?? 0);
    if (text === undefined || at >= text.length) continue;
    found.push([row, { kind, start: at, end: Math.min(at + end - start, text.length) }]);
  }
  return found;
}

function createScan(
  texts: readonly TraceText[],
  spans: readonly (readonly Span[])[],
  allow: readonly RegExp[],
): SecretScan {
  const values = new Map<string, string>();
  const found: { text: TraceText; span: Span }[] = [];
  for (const [row, text] of texts.entries()) {
    for (const span of withoutOverlaps(spans[row] ?? [])) {
      const value = text.text.slice(span.start, span.end);
      if (allow.some((each) => value.search(each) >= 0)) continue;
      found.push({ text, span });
      if (!values.has(value)) values.set(value, span.kind);
    }
  }
  const mask = createMask(values);
  const pointer = (path: readonly string[]): string =>
    path.map((name) => `/${mask.text(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return {
    findings: found.map(({ text, span }) => ({ path: pointer(text.path), ...span })),
    mask: (trace) => (values.size === 0 ? trace : mask.value(trace)),
  };
}

/** Spans that overlap become one, of the kind of the one that begins first. */
function withoutOverlaps(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last === undefined || span.start >= last.end) apart.push(span);
    else if (span.end > last.end) apart[apart.length - 1] = { ...last, end: span.end };
  }
  return apart;
}
