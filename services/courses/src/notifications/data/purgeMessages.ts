import { deleteBatchSize, deleteInBatches } from '@gradeway/shared/database/deleteInBatches';
import type { Sequelize } from 'sequelize';

// Events older than a day create no messages, so the keys are not needed for longer.
const deleteExpired = `
  DELETE FROM mail_messages WHERE id IN (
    SELECT id FROM mail_messages
    WHERE created_at < now() - interval '30 days' AND due_at < now() ORDER BY created_at LIMIT ${deleteBatchSize})
  RETURNING id`;

/** Deletes the records of messages older than 30 days. */
export const purgeMessages = (sequelize: Sequelize, signal?: AbortSignal): Promise<unknown> =>
  deleteInBatches(sequelize, deleteExpired, [], signal);
