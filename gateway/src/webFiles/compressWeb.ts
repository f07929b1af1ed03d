import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress, encodings, maxLevels } from './compress.ts';
import { readDirectory, suffixes } from './readDirectory.ts';

// A step of the web application's build: writes `a.js.br` and `a.js.gz` beside `a.js`. The parameter is the directory; by default,
// the one that the gateway serves.

const directory = process.argv[2] ?? fileURLToPath(new URL('../../web/dist', import.meta.url));

await Promise.all(
  (await readDirectory(directory)).flatMap((file) =>
    encodings.map(async (encoding) => {
      const smaller = await compress(file, encoding, maxLevels);
      if (smaller) await writeFile(join(directory, file.path) + suffixes[encoding], smaller);
    }),
  ),
);
