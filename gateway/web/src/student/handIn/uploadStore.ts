import type { KeptReceipt } from './receipt.ts';
import type { PendingUpload } from './uploadTypes.ts';

/** Uploads and receipts stored on the device. */
export interface UploadStore {
  pending(personId: number): Promise<PendingUpload[]>;
  find(id: string): Promise<PendingUpload | undefined>;
  keep(upload: PendingUpload): Promise<void>;
  remove(id: string): Promise<void>;
  /** Atomically replaces a pending upload with its receipt. */
  finish(id: string, receipt: KeptReceipt): Promise<void>;
  receipts(personId: number): Promise<{ id: string; receipt: KeptReceipt }[]>;
  receipt(id: string): Promise<KeptReceipt | undefined>;
  /** Removes older records of all users. Times are in milliseconds since 1970. */
  removeOld(uploadsBefore: number, receiptsBefore: number): Promise<void>;
}

const [pendingName, receiptsName] = ['pending', 'receipts'];

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('gradeway-uploads', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(pendingName, { keyPath: 'id' });
    request.result.createObjectStore(receiptsName, { keyPath: 'id' });
  };
  return resultOf(request);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let database: Promise<IDBDatabase> | undefined;

async function transact<T>(
  names: string[],
  mode: IDBTransactionMode,
  work: (transaction: IDBTransaction) => IDBRequest<T>,
): Promise<T> {
  database ??= openDatabase();
  database.catch(() => {
    database = undefined;
  });
  const transaction = (await database).transaction(names, mode);
  const committed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
  const [answer] = await Promise.all([resultOf(work(transaction)), committed]);
  return answer;
}

// The keys of a user's records start with the user's id; "/" is the character after ".".
const ofPerson = (personId: number) => IDBKeyRange.bound(`${personId}.`, `${personId}/`, false, true);

/** Stores uploads and receipts in IndexedDB. Rejects on devices without storage; the upload then runs without it. */
export const uploadStore: UploadStore = {
  pending: (personId) =>
    transact([pendingName], 'readonly', (transaction) =>
      transaction.objectStore(pendingName).getAll(ofPerson(personId)),
    ),
  find: (id) =>
    transact([pendingName], 'readonly', (transaction) => transaction.objectStore(pendingName).get(id)),
  keep: async (upload) => {
    await transact([pendingName], 'readwrite', (transaction) =>
      transaction.objectStore(pendingName).put(upload),
    );
  },
  remove: (id) =>
    transact([pendingName], 'readwrite', (transaction) => transaction.objectStore(pendingName).delete(id)),
  finish: async (id, receipt) => {
    await transact([pendingName, receiptsName], 'readwrite', (transaction) => {
      transaction.objectStore(pendingName).delete(id);
      return transaction.objectStore(receiptsName).put({ id, receipt });
    });
  },
  receipts: (personId) =>
    transact([receiptsName], 'readonly', (transaction) =>
      transaction.objectStore(receiptsName).getAll(ofPerson(personId)),
    ),
  receipt: async (id) => {
    const kept: { receipt: KeptReceipt } | undefined = await transact(
      [receiptsName],
      'readonly',
      (transaction) => transaction.objectStore(receiptsName).get(id),
    );
    return kept?.receipt;
  },
  removeOld: async (uploadsBefore, receiptsBefore) => {
    await removeWhere<PendingUpload>(pendingName, ({ createdAt }) => createdAt < uploadsBefore);
    await removeWhere<{ receipt: KeptReceipt }>(
      receiptsName,
      ({ receipt }) => receipt.keptAt < receiptsBefore,
    );
  },
};

/** A cursor reads one record at a time, because uploads include their files. */
async function removeWhere<Kept>(name: string, isOld: (kept: Kept) => boolean): Promise<void> {
  await transact([name], 'readwrite', (transaction) => {
    const store = transaction.objectStore(name);
    const request = store.openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      if (isOld(cursor.value)) cursor.delete();
      cursor.continue();
    };
    // The cursor fires once per record; the transaction completes after the last one.
    return store.count();
  });
}
