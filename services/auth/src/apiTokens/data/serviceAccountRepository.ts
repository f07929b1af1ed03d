import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { ServiceAccount } from '../domain/serviceAccount.ts';

type NewAccount = Pick<ServiceAccount, 'name' | 'scopes' | 'courseIds' | 'createdBy'>;

const selectFrom = (accounts: string) => `
  SELECT a.id, a.name, a.scopes, a.course_ids AS "courseIds", a.is_disabled AS "isDisabled",
    a.created_by AS "createdBy", a.revision, a.created_at AS "createdAt", a.deleted_at IS NOT NULL AS "isDeleted",
    CASE WHEN u.deleted_at IS NULL THEN concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')) END
      AS "creatorName"
  FROM ${accounts} a LEFT JOIN users u ON u.id = a.created_by`;

const insert = `
  WITH created AS (
    INSERT INTO service_accounts (name, scopes, course_ids, created_by) VALUES ($1, $2, $3, $4) RETURNING *)
  ${selectFrom('created')}`;
const update = `
  WITH changed AS (
    UPDATE service_accounts SET name = $2, scopes = $3, course_ids = $4, is_disabled = $5,
      deleted_at = CASE WHEN $6 THEN now() END, revision = revision + 1
    WHERE id = $1 RETURNING *)
  ${selectFrom('changed')}`;
const lock = `${selectFrom('service_accounts')} WHERE a.id = $1 AND a.deleted_at IS NULL FOR UPDATE OF a`;
const count = 'SELECT count(*)::integer AS total FROM service_accounts WHERE deleted_at IS NULL';
const select = `
  ${selectFrom('service_accounts')} WHERE a.deleted_at IS NULL ORDER BY a.id DESC LIMIT $1 OFFSET $2`;
const selectMany = `${selectFrom('service_accounts')} WHERE a.id = ANY($1)`;

/** The service accounts. */
export class ServiceAccountRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  create(
    { name, scopes, courseIds, createdBy }: NewAccount,
    transaction: Transaction,
  ): Promise<ServiceAccount> {
    return this.#write(insert, [name, scopes, courseIds, createdBy], transaction);
  }

  /** Writes an account's properties and increments its revision. The caller publishes the event. */
  update(account: ServiceAccount, transaction: Transaction): Promise<ServiceAccount> {
    const { id, name, scopes, courseIds, isDisabled, isDeleted } = account;
    return this.#write(update, [id, name, scopes, courseIds, isDisabled, isDeleted], transaction);
  }

  /** Finds an account that is not deleted, and locks it against other changes until the transaction ends. */
  async lock(id: number, transaction: Transaction): Promise<ServiceAccount | undefined> {
    const [account] = await query<ServiceAccount>(this.#db, { sql: lock, values: [id], transaction });
    return account;
  }

  /** Returns accounts by id, including deleted ones, whose names remain. */
  findMany(ids: number[]): Promise<ServiceAccount[]> {
    return query(this.#db, { sql: selectMany, values: [ids] });
  }

  /** Returns one page of accounts that are not deleted, newest first. */
  async page(page: Page): Promise<SelectedPage<ServiceAccount>> {
    const [counted] = await query<{ total: number }>(this.#db, { sql: count });
    return selectPage(page, counted?.total ?? 0, (limit, offset) =>
      query<ServiceAccount>(this.#db, { sql: select, values: [limit, offset] }),
    );
  }

  async #write(sql: string, values: unknown[], transaction: Transaction): Promise<ServiceAccount> {
    const [account] = await query<ServiceAccount>(this.#db, { sql, values, transaction });
    if (!account) throw new Error('the service account no longer exists although it was locked');
    return account;
  }
}
