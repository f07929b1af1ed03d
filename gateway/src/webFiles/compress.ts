import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

// Run by Node.js without a build (compressWeb.ts), so it imports no other package.

/** The encodings of compressed files, smallest first. */
export const encodings = ['br', 'gzip'] as const;

export type Encoding = (typeof encodings)[number];

/** The compression level of each encoding. */
type Levels = Record<Encoding, number>;

/** For the build, where time does not matter. */
export const maxLevels: Levels = { br: 11, gzip: 9 };
/** For files that the build has not compressed, while the gateway starts. */
export const fastLevels: Levels = { br: 5, gzip: 6 };

// Smaller savings are not worth the client's work.
const minSaving = 0.05;
const minBytes = 512;
const compressedTypes = /\.(?:avif|br|gif|gz|jpe?g|pdf|png|webp|woff2?)$/i;

/** Compresses a file in the thread pool. Undefined when it would hardly become smaller. */
export async function compress(
  { path, bytes }: { path: string; bytes: Buffer },
  encoding: Encoding,
  levels: Levels,
): Promise<Buffer | undefined> {
  if (bytes.length < minBytes || compressedTypes.test(path)) return undefined;
  const smaller = await compressors[encoding](bytes, levels[encoding]);
  return smaller.length <= bytes.length * (1 - minSaving) ? smaller : undefined;
}

const compressors: Record<Encoding, (bytes: Buffer, level: number) => Promise<Buffer>> = {
  br: (bytes, level) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: level,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes, level) => promisify(gzip)(bytes, { level }),
};
