import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress } from './webFiles/compress.ts';
import { encodings } from './webFiles/contentEncoding.ts';
import { isCompressible } from './webFiles/contentTypes.ts';
import { readDirectory, suffixes } from './webFiles/readDirectory.ts';

// A step of the build of the web application: writes `a.js.br` and `a.js.gz` beside `a.js`, as small as possible, which takes
// longer than a gateway may take to start. Without an argument for the directory that the gateway serves by default.

const effort = { brotli: 11, gzip: 9 };
const directory = process.argv[2] ?? fileURLToPath(new URL('../web/dist', import.meta.url));

const files = (await readDirectory(directory)) ?? [];
await Promise.all(
  files
    .filter(({ path }) => isCompressible(path))
    .flatMap(({ path, bytes }) =>
      encodings.map(async (encoding) => {
        const smaller = await compress(bytes, encoding, effort);
        if (smaller) await writeFile(join(directory, path) + suffixes[encoding], smaller);
      }),
    ),
);
