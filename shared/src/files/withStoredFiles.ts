import type { Sequelize, Transaction } from 'sequelize';
import { inTransaction } from '../database/connection.ts';
import type { FileLibrary, LibraryFile } from './fileLibrary.ts';
import type { ReceivedFile } from './receiveForm.ts';

interface Dependencies {
  sequelize: Sequelize;
  files: FileLibrary;
}

interface Options {
  /** The person whose record refers to the files, if there is one: {@link FileLibrary.attach}. */
  personId?: number;
}

type Stored<Received> = { [Index in keyof Received]: LibraryFile };

/**
 * Stores received files and attaches them in the transaction that also runs `writeRecord`, which writes the record
 * referring to them. Either the record and all files are committed, or the files are discarded and the error is thrown.
 * After some errors it is unknown whether the transaction committed; the files stay if it did.
 */
export async function withStoredFiles<const Received extends readonly ReceivedFile[], Result>(
  { sequelize, files }: Dependencies,
  received: Received,
  writeRecord: (stored: Stored<Received>, transaction: Transaction) => Promise<Result>,
  { personId }: Options = {},
): Promise<Result> {
  const stored = await files.storePending([...received]);
  try {
    return await inTransaction(sequelize, async (transaction) => {
      if (stored.length > 0) await files.attach(stored, transaction, personId);
      return writeRecord(stored as Stored<Received>, transaction);
    });
  } catch (error) {
    await files.discard(stored);
    throw error;
  }
}
