import { inTransaction } from '@gradeway/shared/database/connection';
import { query } from '@gradeway/shared/database/query';
import { unavailable } from '@gradeway/shared/errors/appError';
import { eraseFromOutbox } from '@gradeway/shared/personalData/eraseEvents';
import type { Sequelize } from 'sequelize';
import type { PendingErasure } from '../domain/erasure.ts';

const deletions = [
  'DELETE FROM user_sources WHERE user_id = $1',
  'DELETE FROM login_codes WHERE user_id = $1',
  'DELETE FROM identities WHERE user_id = $1',
  'DELETE FROM sign_ins WHERE user_id = $1',
  'DELETE FROM sessions WHERE user_id = $1',
  'DELETE FROM api_tokens WHERE user_id = $1',
  'DELETE FROM login_addresses WHERE user_id = $1',
  'DELETE FROM devices WHERE user_id = $1',
];

// The import rows about the person, including an account that an import would recreate.
const isAboutPerson = `
  (user_id = $1 OR ($2 <> '' AND lower(email) = lower($2)) OR ($3 <> '' AND sourced_id = $3))`;
const reserved = `
  SELECT id FROM imports i WHERE state = 'reserved'
    AND EXISTS (SELECT FROM import_users u WHERE u.import_id = i.id AND ${isAboutPerson})`;
const deletePlans = `
  DELETE FROM imports i WHERE state = 'planned'
    AND EXISTS (SELECT FROM import_users u WHERE u.import_id = i.id AND ${isAboutPerson})`;
const deleteImportRows = `
  DELETE FROM import_users u USING imports i WHERE i.id = u.import_id AND i.state = 'done' AND ${isAboutPerson}`;

/**
 * Deletes what auth still stores about the person of a deleted account. The account's empty row remains.
 * @throws AppError `unavailable` while an import that contains the person is in progress
 */
export async function eraseAccountRecords(sequelize: Sequelize, erasure: PendingErasure): Promise<void> {
  const { userId } = erasure;
  await inTransaction(sequelize, async (transaction) => {
    for (const sql of deletions) await query(sequelize, { sql, values: [userId], transaction });
    await query(sequelize, { sql: 'SELECT audit.erase_person($1)', values: [userId], transaction });
  });
  const values = [userId, erasure.email, erasure.sourcedId];
  await query(sequelize, { sql: deletePlans, values });
  await query(sequelize, { sql: deleteImportRows, values });
  if ((await query(sequelize, { sql: reserved, values })).length > 0)
    throw unavailable('an import with the person is in progress');
  for await (const _ of eraseFromOutbox(sequelize, userId));
}
