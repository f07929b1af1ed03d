import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BackupStorage, type Backups, isNameOfBackup, manifestName } from './backupStorage.ts';

/** The backups below a directory, each in its own directory. */
export function directoryBackups(parent: string): Backups {
  const open = (name: string) => directoryStorage(join(parent, name));
  return {
    open,
    async names() {
      return (await readdir(parent)).filter(isNameOfBackup).toSorted();
    },
    isComplete: (name) => exists(join(parent, name, manifestName)),
    async create(name) {
      const directory = join(parent, name);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      if ((await readdir(directory)).length > 0)
        throw new Error(`${directory} is not empty: every backup needs its own directory`);
      return open(name);
    },
    remove: (name) => rm(join(parent, name), { recursive: true, force: true }),
    close() {},
  };
}

function directoryStorage(directory: string): BackupStorage {
  return {
    location: directory,
    verifiesBackups: true,
    async write(name, content) {
      const path = join(directory, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const partial = `${path}.partial`;
      try {
        await pipeline(content, createWriteStream(partial, { mode: 0o600, flush: true }));
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    has: (name) => exists(join(directory, name)),
    read: (name) => createReadStream(join(directory, name)),
  };
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
