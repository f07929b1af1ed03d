import type { Role } from '@gradeway/shared/auth/roles';
import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { LoginIdentifier } from '../domain/loginIdentifier.ts';
import type { User, UserProperties } from '../domain/user.ts';
import type { Models, UserModel } from './models.ts';

type Values = UserProperties & {
  passwordHash: string;
  mustChangePassword?: boolean;
  isSelfRegistered?: boolean;
};

export interface UserFilter {
  /** Part of a full name, an address or a mobile number (D57). */
  search?: string | undefined;
  role?: Role | undefined;
  /** Restricts the result to these accounts; undefined for all. */
  ids?: number[] | undefined;
}

/** An account's columns, named as in `User`. */
export const userColumns = `
  id, first_name AS "firstName", last_name AS "lastName", email, mobile, password_hash AS "passwordHash",
  must_change_password AS "mustChangePassword", role, is_approved AS "isApproved", is_blocked AS "isBlocked", is_verified AS "isVerified",
  is_verified_mobile AS "isVerifiedMobile", is_self_registered AS "isSelfRegistered", cart_items AS "cartItems", revision, created_at AS "createdAt"`;

const selectByEmail = `SELECT ${userColumns} FROM users WHERE lower(email) = $1 AND deleted_at IS NULL`;
const selectByEmails = `SELECT ${userColumns} FROM users WHERE lower(email) = ANY($1) AND deleted_at IS NULL`;
const selectByMobile = `SELECT ${userColumns} FROM users WHERE mobile = $1 AND deleted_at IS NULL`;

const filtered = `
  FROM users
  WHERE deleted_at IS NULL
    AND ($1::text IS NULL OR role = $1)
    AND ($2::text IS NULL OR search_text LIKE (SELECT people_search_pattern($2)))
    AND ($3::integer[] IS NULL OR id = ANY($3))`;
const countFiltered = `SELECT count(*)::integer AS total ${filtered}`;
const selectFiltered = `SELECT ${userColumns} ${filtered} ORDER BY id DESC LIMIT $4 OFFSET $5`;

// Sorted like the instructors of a course.
const instructors = `${filtered} AND NOT is_blocked`;
const countInstructors = `SELECT count(*)::integer AS total ${instructors}`;
const inOrder = ['last_name', 'first_name']
  .map((column) => `folded(${column}) COLLATE "und-x-icu"`)
  .join(', ');
const selectInstructors = `SELECT ${userColumns} ${instructors} ORDER BY ${inOrder}, id LIMIT $4 OFFSET $5`;

// From now on, the identity can be linked to another account.
const deleteCredentials = ['totp_factors', 'identities', 'sign_ins'].map(
  (table) => `DELETE FROM ${table} WHERE user_id = $1`,
);

/** Accounts that are not deleted. */
export class UserRepository {
  readonly #db: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#db = sequelize;
    this.#models = models;
  }

  async create(values: Values, transaction: Transaction): Promise<User> {
    return toUser(await this.#models.User.create(values, { transaction }));
  }

  async find(id: number, transaction?: Transaction): Promise<User | undefined> {
    const row = await this.#models.User.findOne({
      where: { id, deletedAt: null },
      transaction: transaction ?? null,
    });
    return row ? toUser(row) : undefined;
  }

  async findMany(ids: number[]): Promise<User[]> {
    const rows = await this.#models.User.findAll({ where: { id: ids, deletedAt: null } });
    return rows.map(toUser);
  }

  /** Finds accounts by email addresses in lower case. */
  findByEmails(emails: string[]): Promise<User[]> {
    return query<User>(this.#db, { sql: selectByEmails, values: [emails] });
  }

  async findByIdentifier({ kind, value }: LoginIdentifier): Promise<User | undefined> {
    const sql = kind === 'email' ? selectByEmail : selectByMobile;
    const [user] = await query<User>(this.#db, { sql, values: [value] });
    return user;
  }

  /** Finds an account and locks it against other changes and logins until the transaction ends. */
  async lock(id: number, transaction: Transaction): Promise<User | undefined> {
    const row = await this.#models.User.findOne({ where: { id, deletedAt: null }, transaction, lock: true });
    return row ? toUser(row) : undefined;
  }

  /** Updates an account and increments its revision. The caller publishes the event. */
  update(before: User, values: Partial<Values>, transaction: Transaction): Promise<User> {
    return this.#update(before.id, { ...values, revision: before.revision + 1 }, transaction);
  }

  /** Sets only the password. No event contains it, so the revision does not change. */
  async setPassword(id: number, passwordHash: string, transaction: Transaction): Promise<void> {
    await this.#update(id, { passwordHash, mustChangePassword: false }, transaction);
  }

  /** Deletes an account and its personal data. The row remains so that neither its id nor its revision is reused. */
  async erase(before: User, transaction: Transaction): Promise<User> {
    const personal = { firstName: '', lastName: '', email: null, mobile: null, passwordHash: '' };
    const values = { ...personal, revision: before.revision + 1, deletedAt: new Date() };
    for (const sql of deleteCredentials) await query(this.#db, { sql, values: [before.id], transaction });
    return this.#update(before.id, values, transaction);
  }

  async saveCartItems(id: number, cartItems: number): Promise<void> {
    await this.#models.User.update({ cartItems }, { where: { id, deletedAt: null } });
  }

  /** Returns one page of accounts, newest first. */
  page({ search, role, ids }: UserFilter, page: Page): Promise<SelectedPage<User>> {
    const values = [role ?? null, search ?? null, ids ?? null];
    return this.#page({ count: countFiltered, select: selectFiltered, values }, page);
  }

  /** Returns one page of instructors who are not blocked, by last name, first name and id. */
  pageOfInstructors({ search, ids }: Omit<UserFilter, 'role'>, page: Page): Promise<SelectedPage<User>> {
    const values = ['instructor', search, ids ?? null];
    return this.#page({ count: countInstructors, select: selectInstructors, values }, page);
  }

  /**
   * Serializes changes to the set of administrators until the transaction ends. Take this lock before an account's
   * lock, so that two changes cannot deadlock.
   */
  async lockAdministrators(transaction: Transaction): Promise<void> {
    await query(this.#db, {
      sql: "SELECT pg_advisory_xact_lock(hashtext('auth administrators'))",
      transaction,
    });
  }

  countAdministrators(
    { includeBlocked }: { includeBlocked: boolean },
    transaction: Transaction,
  ): Promise<number> {
    const filter = {
      role: 'admin' as const,
      deletedAt: null,
      ...(includeBlocked ? {} : { isBlocked: false }),
    };
    return this.#models.User.count({ where: filter, transaction });
  }

  async #page(
    { count, select, values }: { count: string; select: string; values: unknown[] },
    page: Page,
  ): Promise<SelectedPage<User>> {
    const [row] = await query<{ total: number }>(this.#db, { sql: count, values });
    return selectPage(page, row?.total ?? 0, (limit, offset) =>
      query<User>(this.#db, { sql: select, values: [...values, limit, offset] }),
    );
  }

  async #update(
    id: number,
    values: Partial<UserModel['_attributes']>,
    transaction: Transaction,
  ): Promise<User> {
    const [, rows] = await this.#models.User.update(values, { where: { id }, transaction, returning: true });
    const [row] = rows;
    if (!row) throw new Error(`user ${id} no longer exists although it was locked`);
    return toUser(row);
  }
}

function toUser(row: UserModel): User {
  const { deletedAt: _, ...user } = row.get();
  return user;
}
