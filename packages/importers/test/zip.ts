import { deflateRawSync, crc32 as nodeCrc32, zstdCompressSync } from 'node:zlib';

/**
 * How to write an entry: with its length in the header or after the data; deflated, with zstd, or
 * stored.
 */
export interface ZipStyle {
  readonly stored?: boolean;
  readonly zstd?: boolean;
  readonly descriptor?: boolean;
}

/** Writes a zip archive, independently of the reader under test. */
export function writeZip(
  files: Readonly<Record<string, string>>,
  style: ZipStyle = {},
): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const pack = style.zstd ? zstdCompressSync : deflateRawSync;
    const packed = style.stored ? bytes : pack(bytes);
    // Numbers of APPNOTE, section 4.4.5.
    const method = style.stored ? 0 : style.zstd ? 93 : 8;
    const crc = nodeCrc32(bytes);
    const flags = style.descriptor ? 8 : 0;
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(flags, 6);
    header.writeUInt16LE(method, 8);
    if (!style.descriptor) {
      header.writeUInt32LE(crc, 14);
      header.writeUInt32LE(packed.length, 18);
      header.writeUInt32LE(bytes.length, 22);
    }
    header.writeUInt16LE(name.length, 26);
    const descriptor = Buffer.alloc(style.descriptor ? 16 : 0);
    if (style.descriptor) {
      descriptor.writeUInt32LE(0x08074b50, 0);
      descriptor.writeUInt32LE(crc, 4);
      descriptor.writeUInt32LE(packed.length, 8);
      descriptor.writeUInt32LE(bytes.length, 12);
    }
    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    header.copy(listed, 6, 4, 14);
    listed.writeUInt32LE(crc, 16);
    listed.writeUInt32LE(packed.length, 20);
    listed.writeUInt32LE(bytes.length, 24);
    listed.writeUInt16LE(name.length, 28);
    listed.writeUInt32LE(offset, 42);
    directory.push(listed, Buffer.from(name));
    const entry = Buffer.concat([header, Buffer.from(name), packed, descriptor]);
    parts.push(entry);
    offset += entry.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}
