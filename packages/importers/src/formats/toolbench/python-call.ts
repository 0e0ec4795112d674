/** A call of a tool with its result. */
export interface PythonCall {
  readonly name: string;
  /** The arguments as the model wrote them. */
  readonly given: string;
  /** Empty if it is not recorded. */
  readonly response: string;
}

/** A key of a dictionary, up to the opening quote of its value. */
const FIELD = /(?:^\{|, )'(name|arguments|response)': (?=(['"]))/y;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const LAST_CODE_POINT = 0x10ffff;

/**
 * Reads a call that Python printed as a dictionary of texts: `{'name': 'f', 'arguments': '{}', 'response':
 * "it's 3"}`. Missing fields are empty.
 */
export function readPythonCall(text: string): PythonCall {
  const fields: Record<string, string> = {};
  let at = 0;
  for (let found = fieldAt(text, at); found !== null; found = fieldAt(text, at)) {
    const from = at + found[0].length + 1;
    const end = endOf(text, from, found[2] ?? "'");
    fields[found[1] ?? ''] = text.slice(from, end).replace(ESCAPE, decodeEscape);
    at = end + 1;
  }
  const { name = '', arguments: given = '', response = '' } = fields;
  return { name, given, response };
}

function fieldAt(text: string, at: number): RegExpExecArray | null {
  FIELD.lastIndex = at;
  return FIELD.exec(text);
}

/** Index of the closing quote, or of the end of the text. */
function endOf(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += text[at] === '\\' ? 2 : 1) {
    if (text[at] === quote) return at;
  }
  return text.length;
}

function decodeEscape(
  written: string,
  byte?: string,
  unit?: string,
  point?: string,
  other?: string,
): string {
  const digits = byte ?? unit ?? point;
  if (digits === undefined) return other === undefined ? written : (CONTROLS[other] ?? other);
  const code = Number.parseInt(digits, 16);
  return code > LAST_CODE_POINT ? written : String.fromCodePoint(code);
}
