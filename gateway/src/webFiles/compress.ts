import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './contentEncoding.ts';

interface Effort {
  /** 0 to 11. */
  brotli: number;
  /** 0 to 9. */
  gzip: number;
}

// A smaller answer is not worth a header and the work of the client.
const leastSaving = 0.05;
const leastBytes = 512;

const compressors: Record<Encoding, (bytes: Buffer, effort: Effort) => Promise<Buffer>> = {
  br: (bytes, effort) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: effort.brotli,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes, effort) => promisify(gzip)(bytes, { level: effort.gzip }),
};

/** Compresses in the thread pool. Undefined when that saves next to nothing. */
export async function compress(
  bytes: Buffer,
  encoding: Encoding,
  effort: Effort,
): Promise<Buffer | undefined> {
  if (bytes.length < leastBytes) return undefined;
  const smaller = await compressors[encoding](bytes, effort);
  return smaller.length <= bytes.length * (1 - leastSaving) ? smaller : undefined;
}
