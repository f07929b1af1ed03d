import { selectRows } from '@gradeway/shared/database/connection';
import type { Logger } from '@gradeway/shared/process/logger';
import type { Sequelize } from 'sequelize';

interface Options {
  sequelize: Sequelize;
  log: Logger;
  /** How long after its expiry a token can still be exchanged, in milliseconds. */
  refreshWindowMs: number;
}

const batchSize = 1_000;
const everyMs = 600_000;

// In small batches that pass over what another replica is deleting: no lock is held for long.
const batchOf = (table: string, key: string, condition: string) => `
  DELETE FROM ${table} WHERE ${key} IN (
    SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)
  RETURNING ${key}`;

/** Deletes what has lost its meaning, every ten minutes. Returns how to stop. */
export function tidyRegularly({ sequelize, log, refreshWindowMs }: Options): () => Promise<void> {
  const expired = 'expires_at < now()';
  // A day longer than a session can be taken up again, so that nothing depends on the clock.
  const unusable = `token_expires_at < now() - interval '${Math.ceil(refreshWindowMs / 1000)} seconds 1 day'`;
  // What is reserved waits for courses. What is done is remembered, should courses ask once more.
  const forgotten = `(state = 'planned' AND ${expired}) OR (state = 'done' AND expires_at < now() - interval '30 days')`;
  const batches = [
    batchOf('attempts', 'key', expired),
    batchOf('login_codes', 'key', expired),
    batchOf('revocations', 'id', expired),
    batchOf('sessions', 'id', unusable),
    batchOf('imports', 'id', forgotten),
  ];
  let stopped = false;
  let running = Promise.resolve();

  async function tidy(): Promise<void> {
    try {
      for (const batch of batches)
        while (!stopped && (await selectRows(sequelize, batch)).length === batchSize);
    } catch (error) {
      log.warn({ err: error }, 'could not tidy');
    }
  }

  const begin = (): void => {
    running = running.then(tidy);
  };
  begin();
  const timer = setInterval(begin, everyMs);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
