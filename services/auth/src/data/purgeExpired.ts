import { query } from '@gradeway/shared/database/query';
import type { Logger } from '@gradeway/shared/process/logger';
import { runEvery } from '@gradeway/shared/process/runEvery';
import type { Sequelize } from 'sequelize';

interface Options {
  sequelize: Sequelize;
  log: Logger;
  /** How long after its expiry a token can still be refreshed, in milliseconds. */
  refreshWindowMs: number;
}

const batchSize = 1_000;
const intervalMs = 600_000;

// Small batches that skip rows locked by another replica, so that no lock is held for long.
const deleteBatch = (table: string, key: string, condition: string) => `
  DELETE FROM ${table} WHERE (${key}) IN (
    SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)
  RETURNING ${key}`;

/** Purges expired rows at the start and every ten minutes. Returns a function that stops it. */
export function schedulePurge({ sequelize, log, refreshWindowMs }: Options): () => Promise<void> {
  const expired = 'expires_at < now()';
  // Keeps rows a day longer in case the clock is wrong: a revoked token could become valid again, or a session could be
  // lost.
  const irrelevant = "expires_at < now() - interval '1 day'";
  // Owners can see an expired token for a while. A key is spent before its tokens expire only if it was revoked.
  const forgotten = `expires_at < now() - interval '30 days'
    OR key_id IN (SELECT kid FROM signing_keys WHERE spent_at IS NOT NULL)`;
  const unusable = `token_expires_at < now() - interval '${Math.ceil(refreshWindowMs / 1000)} seconds 1 day'`;
  // These are no longer known addresses (D50).
  const unknown = "last_login_at < now() - interval '30 days'";
  // A reserved import waits for courses. A completed one is kept for 30 days, in case courses repeats the call.
  const obsolete = `(state = 'planned' AND ${expired}) OR (state = 'done' AND expires_at < now() - interval '30 days')`;
  const deletes = [
    deleteBatch('attempts', 'key', expired),
    deleteBatch('login_codes', 'key', expired),
    deleteBatch('login_addresses', 'user_id, network', unknown),
    deleteBatch('revocations', 'id', irrelevant),
    deleteBatch('api_tokens', 'id', forgotten),
    deleteBatch('sessions', 'id', unusable),
    deleteBatch('imports', 'id', obsolete),
    deleteBatch('sign_ins', 'state_hash', expired),
    deleteBatch('logout_tokens', 'issuer, jti', expired),
  ];
  return runEvery({
    everyMs: intervalMs,
    startNow: true,
    async task(signal) {
      for (const sql of deletes)
        while (!signal.aborted && (await query(sequelize, { sql })).length === batchSize);
    },
    log,
    failureMessage: 'could not purge expired rows',
  });
}
