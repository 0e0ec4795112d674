import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type LongLine, limitLines, requestIdOf } from './line-limit.ts';

const MOST_BYTES = 10 * 2 ** 20;
/** The JSON-RPC error code for an invalid request. */
const INVALID_REQUEST = -32_600;

/**
 * Creates a transport over stdin and stdout. It answers a message over 10 MiB with an error; the
 * SDK's own transport would close the connection.
 */
export function createStdioTransport(): StdioServerTransport {
  const input = process.stdin.pipe(limitLines(MOST_BYTES, refuse));
  const maxBufferSize = MOST_BYTES + 1;
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize });

  function refuse(line: LongLine): void {
    const id = requestIdOf(line);
    const message = `request: expected at most ${MOST_BYTES} bytes, received ${line.bytes}; pass the path of a run below a --root`;
    // Notifications have no id and are not answered.
    if (id === undefined) transport.onerror?.(new RangeError(message));
    else {
      const error = { code: INVALID_REQUEST, message };
      transport.send({ jsonrpc: '2.0', id, error }).catch((cause) => transport.onerror?.(cause));
    }
  }

  return transport;
}
