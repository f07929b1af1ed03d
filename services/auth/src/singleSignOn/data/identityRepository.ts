import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { ConfirmedIdentity, LinkedIdentity } from '../domain/identity.ts';

const columns = 'id, user_id AS "userId", provider, subject, email, linked_at AS "linkedAt"';
const find = 'SELECT user_id AS "userId" FROM identities WHERE issuer = $1 AND subject = $2';
const insert = `
  INSERT INTO identities (user_id, issuer, subject, provider, email) VALUES ($1, $2, $3, $4, $5) RETURNING id`;
const countByUser = 'SELECT count(*)::integer AS total FROM identities WHERE user_id = $1';
const selectByUser = `SELECT ${columns} FROM identities WHERE user_id = $1 ORDER BY id LIMIT $2 OFFSET $3`;
const remove = `
  DELETE FROM identities WHERE id = $1 AND user_id = $2
  RETURNING provider, issuer, subject, NULL AS sid`;

type Subject = Pick<ConfirmedIdentity, 'issuer' | 'subject'>;

/** The identities of accounts at providers. Each belongs to one account (`identities_subject`). */
export class IdentityRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Finds the account of an identity. */
  async findUserId({ issuer, subject }: Subject, transaction?: Transaction): Promise<number | undefined> {
    const values = [issuer, subject];
    const [row] = await query<{ userId: number }>(this.#db, { sql: find, values, transaction });
    return row?.userId;
  }

  /** @throws a violation of `identities_subject` if the identity is already linked */
  async add(
    userId: number,
    { issuer, subject, provider }: ConfirmedIdentity,
    email: string | null,
    transaction: Transaction,
  ): Promise<void> {
    await query(this.#db, {
      sql: insert,
      values: [userId, issuer, subject, provider, email],
      transaction,
    });
  }

  /** One page of an account's identities, oldest first. */
  async page(userId: number, page: Page): Promise<SelectedPage<LinkedIdentity>> {
    const [counted] = await query<{ total: number }>(this.#db, { sql: countByUser, values: [userId] });
    return selectPage(page, counted?.total ?? 0, (limit, offset) =>
      query<LinkedIdentity>(this.#db, { sql: selectByUser, values: [userId, limit, offset] }),
    );
  }

  /** Removes an identity of an account and returns it; undefined if the account has no such identity. */
  async remove(id: number, userId: number, transaction: Transaction): Promise<ConfirmedIdentity | undefined> {
    const [removed] = await query<ConfirmedIdentity>(this.#db, {
      sql: remove,
      values: [id, userId],
      transaction,
    });
    return removed;
  }
}
