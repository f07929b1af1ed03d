import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileLibrary } from './fileLibrary.ts';
import { HashingFile } from './hashingFile.ts';
import type { ReceivedFile } from './receiveForm.ts';

/** Copies of stored files. Disposing it deletes the files that have not been moved. */
export interface CopiedFiles extends AsyncDisposable {
  files: ReceivedFile[];
}

/** Copies the given stored file, if there is one, to the upload directory, as if it had been uploaded again. */
export type CopyFile = (fileId: number | null) => Promise<CopiedFiles>;

export const createFileCopier =
  (library: FileLibrary, directory: string): CopyFile =>
  async (fileId) => {
    const file = fileId === null ? undefined : await library.find(fileId);
    if (!file) return { files: [], [Symbol.asyncDispose]: async () => {} };
    const path = join(directory, randomUUID());
    const remove = () => rm(path, { force: true });
    const target = new HashingFile(path, { pdfsOnly: false, onBytes: () => {} });
    try {
      await pipeline(await library.open(file), target);
    } catch (error) {
      await remove();
      throw error;
    }
    return { files: [{ name: file.name, path, ...target.result() }], [Symbol.asyncDispose]: remove };
  };
