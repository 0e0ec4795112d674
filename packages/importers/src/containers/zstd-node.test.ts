import { describe, expect, it } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { findNode } from '@kp/testing/node';

/**
 * A frame whose one block has no literals, and as many sequences as a block can have, whose codes take
 * no bits: each is said to copy the longest match there is.
 */
const LONG_MATCHES = Buffer.from([
  ...[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x48], // a window of 512 KiB
  ...[(9 << 3) | 5, 0, 0], // the last block, compressed, of 9 bytes
  0, // no literals
  ...[0xff, 0xff, 0xff, 0x54], // 98,047 sequences, one code each for lengths, offsets and matches
  ...[0, 0, 52, 1],
]);
const CRASH = join(import.meta.dir, '../../test/crashes/containers/zstd-block-without-end.bin');

describe('Node without zstd of its own', () => {
  it('reads zstd data, and comes to an end with blocks that the library has none for', async () => {
    const built = await Bun.build({
      entrypoints: [join(import.meta.dir, 'zstd.ts')],
      target: 'node',
    });
    const inputs = [
      zstdCompressSync('whole '.repeat(9)),
      await Bun.file(CRASH).bytes(),
      LONG_MATCHES,
    ];
    const script = `${await (built.outputs[0] as Blob).text()}
      process.getBuiltinModule = undefined;
      for (const input of ${JSON.stringify(inputs.map((each) => Buffer.from(each).toString('base64')))}) {
        const chunks = async function* () { yield Buffer.from(input, 'base64'); };
        let length = 0;
        try {
          for await (const piece of unzstd(chunks())) length += piece.length;
          console.log(length);
        } catch (error) {
          console.log(error.code, error.received);
        }
      }`;
    const run = spawnSync(await findNode(), ['--input-type=module'], {
      input: script,
      timeout: 50_000,
    });
    expect(run.stderr.toString()).toBe('');
    expect(run.stdout.toString().trim().split('\n')).toEqual([
      '54',
      'DAMAGED_ARCHIVE damaged data',
      'DAMAGED_ARCHIVE damaged data',
    ]);
  }, 60_000);
});
