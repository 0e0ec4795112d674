import { beginsMarkdown } from './markdown.ts';

/** What wraps a recording, or holds several; `json` for what is read as it is. */
export type ContainerKind =
  | 'json'
  | 'gzip'
  | 'zstd'
  | 'zip'
  | 'tar'
  | 'parquet'
  | 'otlp'
  | 'csv'
  | 'markdown';

/** How many bytes of the beginning tell every kind: the mark of a tar archive comes last. */
export const HEAD_BYTES = 512;

const SIGNATURES: readonly [kind: ContainerKind, at: number, signature: readonly number[]][] = [
  ['gzip', 0, [0x1f, 0x8b]],
  ['zstd', 0, [0x28, 0xb5, 0x2f, 0xfd]],
  ['zip', 0, [0x50, 0x4b, 0x03, 0x04]],
  // An archive without entries is the end of its directory alone.
  ['zip', 0, [0x50, 0x4b, 0x05, 0x06]],
  ['parquet', 0, [0x50, 0x41, 0x52, 0x31]],
  ['tar', 257, [0x75, 0x73, 0x74, 0x61, 0x72]],
];

/** Columns by which a table of recordings is known. */
const COLUMNS =
  /(?:^|[,;\t])"?(?:messages|conversations?|trajectory|traj|prompt|role|content|input|output|inputs|outputs|trace_id|traceId|run_id|context\.trace_id|steps)"?(?:[,;\t\r]|$)/i;

/** Tells a container from the first bytes of an input, whatever its name is. */
export function detectContainer(head: Uint8Array): ContainerKind {
  for (const [kind, at, signature] of SIGNATURES) {
    if (signature.every((byte, index) => head[at + index] === byte)) return kind;
  }
  if (isText(head)) {
    if (beginsMarkdown(new TextDecoder().decode(head))) return 'markdown';
    return isTable(head) ? 'csv' : 'json';
  }
  return isMessage(head) || isMessage(head.subarray(4)) ? 'otlp' : 'json';
}

/** Whether an input is seen at its first byte to be JSON, so that no more has to be waited for. */
export function beginsJson(first: number | undefined): boolean {
  return first === 0x7b || first === 0x5b;
}

function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

/** A first line that is no JSON and names columns that recordings have. */
function isTable(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).replace(/^\uFEFF/, '');
  const [line = ''] = text.split('\n', 1);
  return /[,;\t]/.test(line) && !/^\s*[[{]/.test(line) && COLUMNS.test(line);
}

/**
 * Whether bytes begin as a protocol buffer whose first field is a message that begins with one:
 * `resource_spans` with its `resource` or `scope_spans`.
 */
function isMessage(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x0a) return false;
  let at = 1;
  while (at < 6 && (bytes[at] ?? 0) >= 0x80) at += 1;
  const inner = bytes[at + 1];
  return inner === 0x0a || inner === 0x12;
}
