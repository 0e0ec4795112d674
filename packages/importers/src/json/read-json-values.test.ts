import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import type { ByteSource } from '../bytes/byte-source.ts';
import type { JsonItem } from './line-reader.ts';
import {
  DEFAULT_MAX_VALUE_BYTES,
  type ReadJsonOptions,
  readJsonValues,
} from './read-json-values.ts';

async function read(source: ByteSource, options?: ReadJsonOptions): Promise<JsonItem[]> {
  return Array.fromAsync(readJsonValues(source, options));
}

async function values(source: ByteSource, options?: ReadJsonOptions): Promise<unknown[]> {
  return (await read(source, options)).map((item) =>
    'value' in item ? item.value : item.error.message,
  );
}

/** Cuts bytes at the given places, which may repeat and be out of range. */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((end, i) => bytes.subarray(sorted[i] as number, end));
}

const LAYOUTS: [name: string, text: string, expected: unknown[]][] = [
  ['JSON Lines', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ['no line break at the end', '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  ['blank lines and CRLF', '\r\n{"a":1}\r\n\r\n  \t\r\n{"a":2}\r\n', [{ a: 1 }, { a: 2 }]],
  ['a byte order mark', '\ufeff{"a":1}\n', [{ a: 1 }]],
  [
    'one document over many lines',
    '{\n  "a": [\n    1,\n    {"b": "}"}\n  ]\n}\n',
    [{ a: [1, { b: '}' }] }],
  ],
  ['an object that closes on the next line', '{"a": 1\n}', [{ a: 1 }]],
  ['a comma at the beginning of the next line', '{"a": 1\n,"b": 2}', [{ a: 1, b: 2 }]],
  ['an array', '[1, "a]", {"b": [2]}, [3], null]', [1, 'a]', { b: [2] }, [3], null]],
  ['an array over many lines', '[\n  {"a": 1},\n  {"a": 2}\n]\n', [{ a: 1 }, { a: 2 }]],
  ['an empty array', ' [ ] ', []],
  ['arrays one a line', '[1,2]\n[3]\n', [1, 2, 3]],
  [
    'documents one after the other',
    '{\n"a":1}\n{\n"a":2}{"a":3} [4]',
    [{ a: 1 }, { a: 2 }, { a: 3 }, 4],
  ],
  ['two objects on a line', '{"a":1}{"a":2}', [{ a: 1 }, { a: 2 }]],
  ['numbers and words', '1\n"x"\ntrue\nnull\n', [1, 'x', true, null]],
  ['nothing', '', []],
  ['nothing but blanks', ' \n\r\n\t', []],
  ['quotes and backslashes in strings', '[{"a":"\\\\"},{"a":"\\"]"}]', [{ a: '\\' }, { a: '"]' }]],
];

describe('readJsonValues', () => {
  it.each(LAYOUTS)('reads %s', async (_name, text, expected) => {
    expect(await values(text)).toEqual(expected);
    const bytes = new TextEncoder().encode(text);
    expect(await values(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
  });

  it('gives each value its lines, its document and its place in the array', async () => {
    expect(await read('[\n  1,\n  {\n"a": 2}\n]\n[3]')).toEqual([
      { line: 2, endLine: 2, document: 0, index: 0, bytes: 1, value: 1 },
      { line: 3, endLine: 4, document: 0, index: 1, bytes: 9, value: { a: 2 } },
      { line: 6, endLine: 6, document: 1, index: 0, bytes: 1, value: 3 },
    ]);
    expect(await read('\n{"a":1}\n\n[2]')).toEqual([
      { line: 2, endLine: 2, document: 0, bytes: 7, value: { a: 1 } },
      { line: 4, endLine: 4, document: 1, bytes: 3, value: [2] },
    ]);
  });

  it('gives back any JSON values, one a line, wherever the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.nat()), async (list, places) => {
        const bytes = new TextEncoder().encode(
          list.map((value) => `${JSON.stringify(value)}\n`).join(''),
        );
        const expected = list.map((value) => JSON.parse(JSON.stringify(value)));
        expect(await values(cutAt(bytes, places), { layout: 'lines' })).toEqual(expected);
      }),
    );
  });

  it('gives back the elements of any array, indented or not, wherever the bytes are cut', async () => {
    const indent = fc.constantFrom(undefined, 2, '\t');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        indent,
        fc.array(fc.nat()),
        async (list, space, places) => {
          const bytes = new TextEncoder().encode(JSON.stringify(list, null, space));
          const expected = list.map((value) => JSON.parse(JSON.stringify(value)));
          expect(await values(cutAt(bytes, places))).toEqual(expected);
        },
      ),
    );
  });

  it('gives back any objects, indented, one after the other', async () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.array(object), fc.array(fc.nat()), async (list, places) => {
        const texts = list.map((value) => JSON.stringify(value, null, 2));
        // An object without keys has no second line, so that what begins with it is JSON Lines.
        fc.pre(list.length === 0 || Object.keys(list[0] ?? {}).length > 0);
        const bytes = new TextEncoder().encode(texts.join('\n'));
        const expected = list.map((value) => JSON.parse(JSON.stringify(value)));
        expect(await values(cutAt(bytes, places))).toEqual(expected);
      }),
    );
  });

  it('never throws and never answers differently when the bytes are cut elsewhere', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\n',
      ' ',
      '\\',
      'a',
      '1',
      'null',
      '\ufffd',
    );
    const text = fc.oneof(
      fc.array(piece).map((pieces) => pieces.join('')),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat()), async (input, places) => {
        const bytes = new TextEncoder().encode(input);
        expect(await read(cutAt(bytes, places))).toEqual(await read(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('reads text chunks that share a surrogate pair', async () => {
    expect(await values(['"\ud83d', '\ude00"'])).toEqual(['😀']);
  });

  it.each([
    [
      'a broken line',
      '{"a":1}\n{"a":nope}\n{"a":3}',
      [{ a: 1 }, 'line 2, column 6: expected a JSON value, received nope', { a: 3 }],
    ],
    [
      'a first line that is cut off',
      '{"a":1,"b":"x\n{"a":2}',
      [
        'line 1, column 14: expected the closing " of the string, received the end of the value',
        { a: 2 },
      ],
    ],
    [
      'a first line that is cut off between tokens',
      '{"a":[1\n{"a":2}',
      ['line 1, column 8: expected , or ], received the end of the value', { a: 2 }],
    ],
    [
      'an element that is not JSON',
      '[{"a":1},\n{"a":NaN},\n{"a":3}]',
      [{ a: 1 }, 'line 2, column 6: expected a JSON value, received NaN', { a: 3 }],
    ],
    [
      'a word for an element',
      '[1, None, 3]',
      [1, 'line 1, column 5: expected a JSON value, received None', 3],
    ],
    [
      'a missing comma in an array',
      '[{"a":1}\n {"a":2}]',
      [
        { a: 1 },
        'line 2, column 2: expected , or ], received {; the rest of the array cannot be read',
      ],
    ],
    [
      'brackets that do not match',
      '[{"a":[1}, 2]',
      ['line 1, column 9: expected ], received }; the rest of the array cannot be read'],
    ],
    [
      'an array that ends early',
      '[1,\n2',
      [
        1,
        'line 2, column 2: expected ] for the array that begins at line 1, received the end of the input; the rest of the array cannot be read',
      ],
    ],
    [
      'a document that ends early',
      '{\n  "a": {',
      [
        'line 2, column 9: expected } for the value that begins at line 1, column 1, received the end of the input; the rest of the input cannot be read',
      ],
    ],
    [
      'a line break in a string of an array',
      '["a\nb"]',
      [
        'line 1, column 4: expected the closing " of a string, received a line break; the rest of the array cannot be read',
      ],
    ],
    [
      'text that is not JSON at all',
      'hello\nworld\n',
      [
        'line 1, column 1: expected a JSON value, received hello',
        'line 2, column 1: expected a JSON value, received world',
      ],
    ],
    [
      'what comes after a document',
      '{\n"a":1}\nhello world\n{"a":2}',
      [{ a: 1 }, 'line 3, column 1: expected a JSON value, received h', { a: 2 }],
    ],
    [
      'an element further on in its line',
      '[1, {"a":NaN},\n {\n"b":  x}]',
      [
        1,
        'line 1, column 10: expected a JSON value, received NaN',
        'line 3, column 7: expected a JSON value, received x',
      ],
    ],
    [
      'a comma for the first element',
      '[,1]',
      [
        'line 1, column 2: expected a JSON value or ], received ,; the rest of the array cannot be read',
      ],
    ],
    [
      'a comma for another element',
      '[1,]',
      [
        1,
        'line 1, column 4: expected a JSON value, received ]; the rest of the array cannot be read',
      ],
    ],
    [
      'a text without its end',
      '[1,\n "a',
      [
        1,
        'line 2, column 4: expected the closing " of a string for the value that begins at line 2, column 2, received the end of the input; the rest of the array cannot be read',
      ],
    ],
    ...[',', ']'].map((end): [string, string, unknown[]] => [
      `words before ${end}`,
      `[A${end === ',' ? ',Z,a,z' : ''}]`,
      (end === ',' ? ['A', 'Z', 'a', 'z'] : ['A']).map(
        (word, index) => `line 1, column ${2 + 2 * index}: expected a JSON value, received ${word}`,
      ),
    ]),
    ...['@', '`', '~', '\u007f'].map((byte): [string, string, unknown[]] => [
      `no word: ${byte}`,
      `[${byte},1]`,
      [
        `line 1, column 2: expected a JSON value or ], received ${byte === '\u007f' ? 'the byte 0x7f' : byte}; the rest of the array cannot be read`,
      ],
    ]),
    ...[':', '"', '{', '}', '['].map((byte): [string, string, unknown[]] => [
      `a number before ${byte}`,
      `[1${byte}`,
      [
        1,
        `line 1, column 3: expected , or ], received ${byte}; the rest of the array cannot be read`,
      ],
    ]),
    [
      'columns in bytes, also after wide characters',
      '{"é":1}\n{"é":"é" x}',
      [{ é: 1 }, 'line 2, column 12: expected , or }, received x'],
    ],
  ])('tells the position of %s and reads on where it can', async (_name, text, expected) => {
    expect(await values(text)).toEqual(expected);
  });

  it.each([
    ['12', [12]],
    ['12 ', [12]],
    ['1 2\n3', [1, 2, 3]],
    ['{"a":x} 1\n2', ['line 1, column 6: expected a JSON value, received x', 2]],
    ['] 1\n2', ['line 1, column 1: expected a JSON value, received ]', 2]],
    ['[1] x 2\n3', [1, 'line 1, column 5: expected a JSON value, received x', 3]],
    [
      '{"a":1',
      [
        'line 1, column 7: expected } for the value that begins at line 1, column 1, received the end of the input; the rest of the input cannot be read',
      ],
    ],
  ])('reads documents on where the next line begins: %j', async (text, expected) => {
    expect(await values(text, { layout: 'documents' })).toEqual(expected);
    expect(await values(text.split(''), { layout: 'documents' })).toEqual(expected);
  });

  it('reads arrays one a line where it is asked to', async () => {
    expect(await values('[1,2]\n[3]\n', { arrayLines: true })).toEqual([[1, 2], [3]]);
    expect(await values('[1,2]\n', { arrayLines: true })).toEqual([1, 2]);
  });

  it.each(['ef', 'efbb', 'efbb31'])(
    'takes a part of a byte order mark for text: %s',
    async (hex) => {
      const bytes = Buffer.from(hex, 'hex');
      const refused = ['line 1: expected UTF-8 text, received other bytes'];
      expect(await values(bytes, { layout: 'lines' })).toEqual(refused);
      const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
      expect(await values(chunks, { layout: 'lines' })).toEqual(refused);
    },
  );

  it('takes a value of as many bytes as the limit, which is 256 MiB unless said otherwise', async () => {
    expect(DEFAULT_MAX_VALUE_BYTES).toBe(268_435_456);
    expect(await values('"xxxx"', { maxValueBytes: 6 })).toEqual(['xxxx']);
    expect(await values('[12,3]', { maxValueBytes: 1 })).toEqual([
      'line 1: expected a value of at most 1 bytes, received 2 bytes',
      3,
    ]);
    await expect(read('1', { maxValueBytes: 0 })).rejects.toThrow(
      'maxValueBytes: expected a positive integer, received 0',
    );
  });

  it('refuses invalid UTF-8 with its line, not the lines around it', async () => {
    const bytes = Uint8Array.of(0x31, 0x0a, 0x22, 0xff, 0x22, 0x0a, 0x32);
    expect(await values(bytes)).toEqual([
      1,
      'line 2: expected UTF-8 text, received other bytes',
      2,
    ]);
  });

  it('refuses a value over the limit and reads on', async () => {
    const long = `"${'x'.repeat(50)}"`;
    const refusal = 'line 2: expected a value of at most 20 bytes, received 52 bytes';
    expect(await values(`1\n${long}\n2`, { maxValueBytes: 20 })).toEqual([1, refusal, 2]);
    expect(await values(`[1,\n${long},\n2]`, { maxValueBytes: 20 })).toEqual([1, refusal, 2]);
  });

  it('does not keep a line that has no end', async () => {
    const chunk = new Uint8Array(1 << 20).fill(0x61);
    const heapBefore = process.memoryUsage().arrayBuffers;
    let peak = 0;
    function* endless(): Generator<Uint8Array> {
      yield new TextEncoder().encode('{"a":"');
      for (let i = 0; i < 200; i++) {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers - heapBefore);
        yield chunk.slice();
      }
      yield new TextEncoder().encode('"}\n{"a":2}');
    }
    const found = await values(endless(), { maxValueBytes: 1 << 21, layout: 'lines' });
    expect(found).toEqual([expect.stringContaining('at most 2097152 bytes'), { a: 2 }]);
    expect(peak).toBeLessThan(100 * (1 << 20));
  });

  it('keeps __proto__ and deep nesting as they are', async () => {
    expect(Object.keys((await values('{"__proto__":1}'))[0] as object)).toEqual(['__proto__']);
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await read(deep))[0]).toHaveProperty('value');
  });

  it('follows a million levels and gives up beyond them', async () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    // The outermost array is not kept: its elements are the values.
    expect((await read(deep(1_000_001)))[0]).toHaveProperty('value');
    expect(await values(`${'['.repeat(1_000_002)}`)).toEqual([
      'line 1, column 1000002: expected at most 1000000 levels, received [; the rest of the array cannot be read',
    ]);
  });

  it('reads streams, also where they cannot be iterated', async () => {
    expect(await values(new Blob(['{"a":1}\n']).stream())).toEqual([{ a: 1 }]);
    let cancelled = false;
    const pieces = ['{"a":1}\n', '{"a":2}\n'];
    const reader = {
      read: async () => ({ done: pieces.length === 0, value: pieces.shift() }),
      cancel: async () => {
        cancelled = true;
      },
    };
    const bare = { getReader: () => reader } as unknown as ReadableStream<string>;
    expect(await values(bare)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(cancelled).toBe(true);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses maxValueBytes %p', async (maxValueBytes) => {
    await expect(read('1', { maxValueBytes })).rejects.toThrow(RangeError);
  });

  it('refuses chunks that are neither bytes nor text', async () => {
    await expect(read([1] as unknown as string[])).rejects.toThrow(TypeError);
  });

  it('closes its source when the reader stops early', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<string> {
      try {
        for (;;) yield '{"a":1}\n';
      } finally {
        closed = true;
      }
    }
    for await (const _item of readJsonValues(source())) break;
    expect(closed).toBe(true);
  });
});
