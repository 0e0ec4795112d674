import { describe, expect, it } from 'bun:test';
import { readOtlpProtobuf } from './otlp-protobuf.ts';

/** Content of a field: text, bytes, a message, or an 8-byte number. */
type Content = string | readonly number[] | number;
/** Encodes a protobuf field. Contents in these tests are shorter than 16,384 bytes. */
type Field = readonly [id: number, content: Content];

/** Encodes a message in protobuf's wire format. */
function message(...fields: readonly Field[]): number[] {
  return fields.flatMap(([id, content]) => {
    if (typeof content === 'number') return [(id << 3) | 1, ...eightBytes(BigInt(content))];
    const bytes = typeof content === 'string' ? [...Buffer.from(content)] : content;
    const { length } = bytes;
    const size = length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
    return [(id << 3) | 2, ...size, ...bytes];
  });
}

const varint = (id: number, value: number): number[] => [id << 3, value];
const eightBytes = (value: bigint): number[] => [
  ...new Uint8Array(BigUint64Array.of(value).buffer),
];
const double = (id: number, value: number): number[] => [
  (id << 3) | 1,
  ...new Uint8Array(Float64Array.of(value).buffer),
];
const attribute = (key: string, value: readonly number[]): number[] =>
  message([1, key], [2, value]);

async function read(...fields: readonly Field[]): Promise<unknown> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.from(message(...fields));
  }
  const items = await Array.fromAsync(readOtlpProtobuf(chunks(), 10_000, undefined));
  expect(items).toHaveLength(1);
  return items.map((item) => 'value' in item && item.value)[0];
}

// The numbers are from trace.proto, logs.proto, common.proto and resource.proto of OTLP 1.
const resource: Field = [1, message([1, attribute('service.name', message([1, 'shop']))])];
const scope: Field = [1, message([1, 'tracer'], [2, '1.2'])];
const traceId = Array<number>(16).fill(0xab);
const RESOURCE = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
const SCOPE = { name: 'tracer', version: '1.2' };

describe('readOtlpProtobuf', () => {
  it('reads each field of a span by its number', async () => {
    const event = message([1, 3_000], [2, 'retry'], [3, attribute('n', varint(3, 7))]);
    const span = message(
      [1, traceId],
      [2, [1, 2, 3, 4, 5, 6, 7, 8]],
      [4, [0, 0, 0, 0, 0, 0, 0, 9]],
      [5, 'chat'],
      [7, 1_000],
      [8, 2_000],
      [9, attribute('yes', varint(2, 1))],
      [9, attribute('half', double(4, 0.5))],
      [9, attribute('list', message([5, message([1, message([1, 'a'])], [1, varint(3, 2)])]))],
      [9, attribute('map', message([6, message([1, attribute('k', message([1, 'v']))])]))],
      [9, attribute('raw', message([7, [255, 0]]))],
      [11, event],
      [15, [...message([2, 'broken']), ...varint(3, 2)]],
    );
    expect(await read([1, message(resource, [2, message(scope, [2, span])])])).toEqual({
      resourceSpans: [
        {
          resource: RESOURCE,
          scopeSpans: [
            {
              scope: SCOPE,
              spans: [
                {
                  traceId: 'ab'.repeat(16),
                  spanId: '0102030405060708',
                  parentSpanId: '0000000000000009',
                  name: 'chat',
                  startTimeUnixNano: '1000',
                  endTimeUnixNano: '2000',
                  attributes: [
                    { key: 'yes', value: { boolValue: true } },
                    { key: 'half', value: { doubleValue: 0.5 } },
                    {
                      key: 'list',
                      value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '2' }] } },
                    },
                    {
                      key: 'map',
                      value: {
                        kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] },
                      },
                    },
                    { key: 'raw', value: { bytesValue: [255, 0] } },
                  ],
                  events: [
                    {
                      timeUnixNano: '3000',
                      name: 'retry',
                      attributes: [{ key: 'n', value: { intValue: '7' } }],
                    },
                  ],
                  status: { message: 'broken', code: 2 },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('reads each field of a log record by its number', async () => {
    const record = message(
      [1, 1_000],
      [5, message([1, 'said'])],
      [6, attribute('k', message([1, 'v']))],
      [9, traceId],
      [10, [0, 0, 0, 0, 0, 0, 0, 1]],
      [12, 'gen_ai.choice'],
    );
    expect(await read([1, message(resource, [2, message(scope, [2, record])])])).toEqual({
      resourceLogs: [
        {
          resource: RESOURCE,
          scopeLogs: [
            {
              scope: SCOPE,
              logRecords: [
                {
                  timeUnixNano: '1000',
                  body: { stringValue: 'said' },
                  attributes: [{ key: 'k', value: { stringValue: 'v' } }],
                  traceId: 'ab'.repeat(16),
                  spanId: '0000000000000001',
                  eventName: 'gen_ai.choice',
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('counts the values of a request before decoding it', async () => {
    // Four nested objects; the innermost contains the id, which becomes 16 numbers:
    // 4 · 10 + 4 + 16.
    const request = message([1, message([2, message([2, message([1, traceId])])])]);
    const spend = async (values: number): Promise<number> => {
      const budget = { bytes: 0, values, files: 0, isPacked: true };
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield Uint8Array.from(request);
      }
      await Array.fromAsync(readOtlpProtobuf(chunks(), 10_000, budget));
      return budget.values;
    };
    expect(await spend(61)).toBe(1);
    expect(await spend(60)).toBe(0);
    await expect(spend(59)).rejects.toThrow('at most 4000000 values');
  });
});
