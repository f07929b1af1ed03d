import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parents individually, because `mkdir` with `recursive` never settles below /proc.
 * @throws Error naming the directory that cannot be created, and the reason
 */
export async function createDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  if (dirname(path) !== path) await createDirectory(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (await isDirectory(path)) return;
    throw new Error(`${path} cannot be created: ${reasonOf(error as NodeJS.ErrnoException)}`);
  }
}

// A file system that permits no new entries, such as /proc, returns ENOENT, which would suggest a missing parent.
const reasonOf = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'ENOENT' ? 'its parent directory permits no new entries' : message;

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
