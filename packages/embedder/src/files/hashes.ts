import { EmbedderLoadError } from '../errors.ts';
import { nodeModule } from './node-modules.ts';

/** SHA-256 of model files, in hexadecimal, by path inside the model's folder. */
export type FilePins = Readonly<Record<string, string | undefined>>;

/** The files of `Xenova/all-MiniLM-L6-v2` as published. */
export const ALL_MINILM_L6_V2_SHA256: FilePins = {
  'onnx/model_quantized.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  'onnx/model_fp16.onnx': '2cdb5e58291813b6d6e248ed69010100246821a367fa17b1b81ae9483744533d',
  'onnx/model.onnx': '759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e',
  'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  'tokenizer_config.json': '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
  'config.json': '7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7',
};

/**
 * Compares a file with its pin.
 *
 * @throws EmbedderLoadError `FILE_HASH_MISMATCH`.
 */
export async function verifyFile(path: string, bytes: Uint8Array, pin: string): Promise<void> {
  // Pages that were not loaded over TLS have no subtle cryptography.
  const { subtle } = globalThis.crypto ?? {};
  const received =
    subtle === undefined
      ? sha256(bytes)
      : hexadecimal(
          new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)),
        );
  if (received === pin.toLowerCase()) return;
  throw new EmbedderLoadError({
    code: 'FILE_HASH_MISMATCH',
    subject: path,
    expected: `sha256 ${pin}`,
    received: `sha256 ${received}`,
    remedy: 'Delete the file and load again, or correct the pin if the file is the wanted one.',
  });
}

interface CryptoModule {
  createHash(name: 'sha256'): {
    update(bytes: Uint8Array): { digest(encoding: 'hex'): string };
  };
}

/** SHA-256 of bytes at once, as 64 lower-case hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  const crypto = nodeModule<CryptoModule>('node:crypto');
  return crypto === undefined
    ? portableSha256(bytes)
    : crypto.createHash('sha256').update(bytes).digest('hex');
}

/**
 * SHA-256 where the runtime has none that answers at once: browsers.
 *
 * @see FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2.2.
 */
export function portableSha256(bytes: Uint8Array): string {
  const { initial, constants } = sha256Constants();
  const state = Int32Array.from(initial);
  const schedule = new Int32Array(64);
  const tail = paddedTail(bytes);
  const whole = bytes.length - (bytes.length % 64);
  const body = new DataView(bytes.buffer, bytes.byteOffset, whole);
  for (let at = 0; at < whole; at += 64) compress(state, body, at, schedule, constants);
  for (let at = 0; at < tail.byteLength; at += 64) compress(state, tail, at, schedule, constants);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setInt32(4 * i, word);
  });
  return hexadecimal(new Uint8Array(digest.buffer));
}

/** The bytes after the last whole block, a one bit, zeros, and the length in bits. */
function paddedTail(bytes: Uint8Array): DataView {
  const rest = bytes.length % 64;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(bytes.subarray(bytes.length - rest));
  tail[rest] = 0x80;
  const view = new DataView(tail.buffer);
  view.setBigUint64(tail.length - 8, 8n * BigInt(bytes.length));
  return view;
}

function compress(
  state: Int32Array,
  block: DataView,
  at: number,
  w: Int32Array,
  constants: Int32Array,
): void {
  for (let t = 0; t < 16; t++) w[t] = block.getInt32(at + 4 * t);
  for (let t = 16; t < 64; t++) {
    const w15 = w[t - 15];
    const w2 = w[t - 2];
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t]) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = state[i] + word;
  });
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits of the fractions of the square and cube roots of the first primes. */
function sha256Constants(): { initial: Int32Array; constants: Int32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  const fraction = (root: number): number => (root - Math.floor(root)) * 2 ** 32;
  return {
    initial: Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)) | 0),
    constants: Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)) | 0),
  };
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
