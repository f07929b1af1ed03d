import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';
import type { ClaimedMessage } from './queueRepository.ts';

type Claim = Pick<ClaimedMessage, 'id' | 'claim'>;

// A message that was claimed again belongs to the later claim.
const current = 'id = $1 AND claims = $2';
const settle = `
  UPDATE mail_messages SET status = $3, claimed_until = NULL, attempts = attempts + 1 WHERE ${current}`;
const retry = `
  UPDATE mail_messages SET claimed_until = NULL, attempts = attempts + 1, is_refused = $4,
    due_at = now() + $3::float8 * interval '1 millisecond'
  WHERE ${current}`;
// Neither counts towards the limit per minute.
const drop = `
  UPDATE mail_messages SET status = 'dropped', claimed_until = NULL, attempted_at = NULL WHERE ${current}`;
const postpone = `
  UPDATE mail_messages SET claimed_until = NULL, attempted_at = NULL,
    due_at = now() + $3::float8 * interval '1 millisecond'
  WHERE ${current}`;
const settleMembers = `
  UPDATE mail_messages SET status = CASE WHEN id = ANY($3::bigint[]) THEN 'dropped' ELSE $2 END
  WHERE digest_id = $1 AND status = 'waiting'`;
const releaseMembers = 'UPDATE mail_messages SET digest_id = NULL WHERE id = ANY($1::bigint[])';

/** Records the outcomes of claimed messages. */
export class OutcomeRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** The mail server accepted the message, or sending was abandoned. */
  async settle({ id, claim }: Claim, status: 'sent' | 'failed'): Promise<void> {
    await query(this.#db, { sql: settle, values: [id, claim, status] });
  }

  /** @param isRefused whether the mail server rejected this message, as opposed to being unreachable */
  async retry({ id, claim }: Claim, delayMs: number, isRefused: boolean): Promise<void> {
    await query(this.#db, { sql: retry, values: [id, claim, delayMs, isRefused] });
  }

  /** The message no longer applies, for example because the grades were withheld again. */
  async drop({ id, claim }: Claim): Promise<void> {
    await query(this.#db, { sql: drop, values: [id, claim] });
  }

  /** A service that the message depends on is unavailable. This is not an attempt. */
  async postpone({ id, claim }: Claim, delayMs: number): Promise<void> {
    await query(this.#db, { sql: postpone, values: [id, claim, delayMs] });
  }

  /** Records that the parts of a digest were sent with it, except those that no longer applied. */
  async settleMembers(
    digestId: string,
    status: 'sent' | 'failed' | 'dropped',
    droppedIds: string[] = [],
  ): Promise<void> {
    await query(this.#db, { sql: settleMembers, values: [digestId, status, droppedIds] });
  }

  /** Moves parts from a digest to the next one. */
  async releaseMembers(ids: string[]): Promise<void> {
    if (ids.length > 0) await query(this.#db, { sql: releaseMembers, values: [ids] });
  }
}
