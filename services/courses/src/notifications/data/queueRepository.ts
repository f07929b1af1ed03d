import { inTransaction } from '@gradeway/shared/database/connection';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';
import { defaults, type MessageKind } from '../domain/kinds.ts';

/** A message that this process has claimed and may send until the claim expires. */
export interface ClaimedMessage {
  id: string;
  /** Increases with each claim. */
  claim: number;
  userId: number;
  key: string;
  kind: MessageKind;
  attempts: number;
  /** How long it had been due when it was claimed. */
  waitedMs: number;
}

interface ClaimLimits {
  total: number;
  perMinute: number;
  claimMs: number;
  /** The next digest. A message that would be useless by then is sent alone. */
  nextDigest: Date;
}

const diverted = 1_000;

const mailedByDefault = Object.entries(defaults)
  .filter(([, choice]) => choice === 'mail')
  .map(([kind]) => `'${kind}'`)
  .join(', ');
const choice = `
  coalesce(p.kinds->>m.kind, CASE WHEN m.kind IN (${mailedByDefault}) THEN 'mail' ELSE 'digest' END)`;
const due = `
  FROM mail_messages m LEFT JOIN mail_preferences p ON p.user_id = m.user_id
  WHERE m.status = 'waiting' AND m.digest_id IS NULL AND m.due_at <= now()
    AND (m.claimed_until IS NULL OR m.claimed_until <= now())`;
const joinsDigest = (nextDigest: string) =>
  `m.kind <> 'digest' AND ${choice} = 'digest' AND (m.useless_at IS NULL OR m.useless_at > ${nextDigest})`;

const dropUnwanted = `
  UPDATE mail_messages SET status = 'dropped' WHERE id IN (
    SELECT m.id ${due} AND m.kind <> 'digest' AND ${choice} = 'off' LIMIT ${diverted} FOR UPDATE OF m SKIP LOCKED)
  RETURNING id`;

// A digest that is already being sent accepts no more messages; the remaining ones are moved to the next digest.
const moveToDigest = `
  WITH due AS (
    SELECT m.id, m.user_id ${due} AND ${joinsDigest('$2')} LIMIT ${diverted} FOR UPDATE OF m SKIP LOCKED),
  digests AS (
    INSERT INTO mail_messages AS d (user_id, key, kind, due_at, waiting_since)
    SELECT DISTINCT user_id, $1, 'digest', $2::timestamptz, $2::timestamptz FROM due ORDER BY user_id
    ON CONFLICT (user_id, key) DO UPDATE SET key = excluded.key WHERE d.status = 'waiting' AND d.claims = 0
    RETURNING id, user_id)
  UPDATE mail_messages m SET digest_id = digests.id
  FROM due JOIN digests USING (user_id) WHERE m.id = due.id
  RETURNING m.id`;

// Without the lock, replicas that claim at the same moment would together exceed the limits.
const lockRate = "SELECT pg_advisory_xact_lock(hashtext('mail per minute'))";

/*
 * A message is waiting, in progress (claimed_until in the future) or settled. When a process dies, its claims expire and the messages
 * are sent again with the same Message-ID. A twelfth of the limit in any five seconds spreads the messages over the minute.
 */
const claim = `
  WITH due AS (
    SELECT m.id ${due} AND (m.kind = 'digest' OR ${choice} = 'mail' OR ${choice} = 'digest' AND m.useless_at <= $4)
    ORDER BY m.due_at
    LIMIT (
      SELECT greatest(0, least($1::bigint, $2::bigint - count(*),
        ceil($2::float8 / 12)::bigint - count(*) FILTER (WHERE attempted_at > now() - interval '5 seconds')))
      FROM mail_messages WHERE attempted_at > now() - interval '1 minute')
    FOR UPDATE OF m SKIP LOCKED)
  UPDATE mail_messages m
  SET claimed_until = now() + $3::float8 * interval '1 millisecond', claims = m.claims + 1, attempted_at = now()
  WHERE m.id IN (SELECT id FROM due)
  RETURNING m.id, m.claims AS claim, m.user_id AS "userId", m.key, m.kind, m.attempts,
    (extract(epoch FROM now() - m.waiting_since) * 1000)::float8 AS "waitedMs"`;

/** The queue of messages. */
export class QueueRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /**
   * Drops due messages that their recipients do not want, and moves others into digests. Returns whether more may be
   * due.
   * @param date the local date of the next digest, which names it
   */
  async divert({ date, time }: { date: string; time: Date }): Promise<boolean> {
    const dropped = await query(this.#db, { sql: dropUnwanted });
    const values = [`digest:${date}`, time];
    const moved = await query(this.#db, { sql: moveToDigest, values });
    return Math.max(dropped.length, moved.length) === diverted;
  }

  /** Claims due messages, within the limit that all replicas share. */
  claim({ total, perMinute, claimMs, nextDigest }: ClaimLimits): Promise<ClaimedMessage[]> {
    return inTransaction(this.#db, async (transaction) => {
      await query(this.#db, { sql: lockRate, transaction });
      const values = [total, perMinute, claimMs, nextDigest];
      return query<ClaimedMessage>(this.#db, { sql: claim, values, transaction });
    });
  }
}
