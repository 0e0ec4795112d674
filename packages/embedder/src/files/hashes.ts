import { sha256 } from '@kp/foundation';
import { EmbedderLoadError } from '../embedding/errors.ts';

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
 * Compares a file with its pin, if it has one.
 *
 * @throws EmbedderLoadError `FILE_HASH_MISMATCH`.
 */
export async function verifyFile(path: string, bytes: Uint8Array, pin?: string): Promise<void> {
  if (pin === undefined) return;
  const received = await sha256(bytes as Uint8Array<ArrayBuffer>);
  if (received === pin.toLowerCase()) return;
  throw new EmbedderLoadError({
    code: 'FILE_HASH_MISMATCH',
    subject: path,
    expected: `sha256 ${pin}`,
    received: `sha256 ${received}`,
    remedy: 'delete the file and load again, or correct the pin if the file is the wanted one',
  });
}
