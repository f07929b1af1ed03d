import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import type { FileStore } from '../files/fileStore.ts';

const moveToErased = `
  WITH deleted AS (DELETE FROM files WHERE id = ANY($1) RETURNING key)
  INSERT INTO erased_files (key, user_id) SELECT key, $2 FROM deleted ON CONFLICT (key) DO NOTHING`;
const moveRenderedToErased = `
  WITH rendered AS (DELETE FROM marked_pdfs WHERE source_ids && $1::integer[] RETURNING file_id),
    deleted AS (DELETE FROM files WHERE id IN (SELECT file_id FROM rendered) RETURNING key)
  INSERT INTO erased_files (key, user_id) SELECT key, $2 FROM deleted ON CONFLICT (key) DO NOTHING`;
const remaining = 'SELECT key FROM erased_files WHERE user_id = $1 ORDER BY key LIMIT 100';
const forget = 'DELETE FROM erased_files WHERE key = $1';

/**
 * Deletes the rows of files and of the PDFs rendered from them, in the transaction that deletes the references to them,
 * and records their bytes for deletion.
 */
export async function deleteFileRows(
  sequelize: Sequelize,
  fileIds: number[],
  userId: number,
  transaction: Transaction,
): Promise<void> {
  await query(sequelize, { sql: moveToErased, values: [fileIds, userId], transaction });
  // A separate statement also finds the PDFs that were stored while the first one waited for its locks.
  await query(sequelize, { sql: moveRenderedToErased, values: [fileIds, userId], transaction });
}

/**
 * Deletes the bytes of an erased person's files. Yields after each file.
 * @throws AppError `unavailable` if the store is unreachable; the remaining files stay recorded
 */
export async function* eraseFileBytes(
  sequelize: Sequelize,
  store: FileStore,
  userId: number,
): AsyncGenerator<void> {
  for (;;) {
    const keys = await query<{ key: string }>(sequelize, { sql: remaining, values: [userId] });
    if (keys.length === 0) return;
    for (const { key } of keys) {
      await store.remove(key);
      await query(sequelize, { sql: forget, values: [key] });
      yield;
    }
  }
}
