// Sends only the bytes of files, one after another. No archive can be faster. Listens on PORT; the subdirectories of
// the first argument contain the files.
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const chunkBytes = 1024 * 1024;
const [directory = ''] = process.argv.slice(2);

createServer(async (_req, res) => {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    // If its end is known, a small file needs neither a buffer of 1 MiB nor a second read.
    const file = createReadStream(path, { highWaterMark: chunkBytes, end: statSync(path).size - 1 });
    file.pipe(res, { end: false });
    await new Promise<void>((resolve) => file.once('end', () => resolve()));
  }
  res.end();
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
