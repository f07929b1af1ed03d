import { selectRows } from '@gradeway/shared/database';
import type { Sequelize, Transaction } from 'sequelize';
import type { ImportedUser, KnownUser } from '../domain/planImportedUser.ts';
import type { User } from '../domain/user.ts';
import { userColumns } from './userRepository.ts';

/** What is kept of one account's plan: what is null does not change. */
export interface PlanRow
  extends Nullable<
    Pick<User, 'firstName' | 'lastName' | 'email' | 'mobile' | 'role' | 'isBlocked' | 'passwordHash'>
  > {
  line: number;
  sourcedId: string;
  action: 'create' | 'update' | 'delete' | 'unchanged';
  userId: number;
  isAdopted: boolean;
  revision: number;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };
type State = 'planned' | 'reserved' | 'done';

const known = `
  SELECT ${userColumns}, s.sourced_id AS "sourcedId", coalesce(s.blocked_by_import, false) AS "isBlockedByImport"
  FROM (
    SELECT user_id AS id FROM user_sources WHERE sourced_id = ANY($1)
    UNION SELECT id FROM users WHERE lower(email) = ANY($2)
    UNION SELECT id FROM users WHERE mobile = ANY($3)) AS asked
  JOIN users USING (id) LEFT JOIN user_sources s ON s.user_id = id
  WHERE deleted_at IS NULL`;

const sourced = `
  SELECT s.sourced_id AS "sourcedId", ${userColumns}
  FROM user_sources s JOIN users ON id = s.user_id
  WHERE s.sourced_id = ANY($1) AND deleted_at IS NULL`;

const nextIds = `
  SELECT nextval(pg_get_serial_sequence('users', 'id'))::integer AS id FROM generate_series(1, $1)`;

const putImport = `
  INSERT INTO imports (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`;
const clearLines = 'DELETE FROM import_users WHERE import_id = $1 AND line = ANY($2)';
const putRows = `
  INSERT INTO import_users (import_id, line, sourced_id, action, user_id, is_adopted, revision, first_name, last_name,
    email, mobile, role, is_blocked, password_hash)
  SELECT $1, line, "sourcedId", action, "userId", "isAdopted", revision, "firstName", "lastName",
    email, mobile, role, "isBlocked", "passwordHash"
  FROM jsonb_to_recordset($2::jsonb) AS rows (line int, "sourcedId" text, action text, "userId" int,
    "isAdopted" boolean, revision int, "firstName" text, "lastName" text, email text, mobile text, role text,
    "isBlocked" boolean, "passwordHash" text)`;

// An account that changed, went or came to be called something else since the plan.
const countStale = `
  SELECT count(*)::int AS stale
  FROM import_users i
  LEFT JOIN users u ON u.id = i.user_id AND u.deleted_at IS NULL
  LEFT JOIN user_sources own ON own.user_id = u.id
  LEFT JOIN user_sources s ON s.sourced_id = i.sourced_id
  LEFT JOIN users named ON named.id = s.user_id AND named.deleted_at IS NULL
  WHERE i.import_id = $1 AND (
    coalesce(u.revision, 0) <> i.revision
    OR named.id IS DISTINCT FROM (CASE WHEN i.action = 'create' OR i.is_adopted THEN NULL ELSE i.user_id END)
    OR i.is_adopted AND own.sourced_id IS NOT NULL)`;

const reserveAccounts = `
  INSERT INTO users (id, first_name, last_name, email, mobile, password_hash, role, is_approved, is_blocked,
    is_verified, is_verified_mobile, deleted_at, reserved_by)
  OVERRIDING SYSTEM VALUE
  SELECT user_id, first_name, last_name, email, mobile, password_hash, role, true, is_blocked, false, false, now(), $1
  FROM import_users WHERE import_id = $1 AND action = 'create' AND line BETWEEN $2 AND $3`;
// Another spelling of the same address is taken by the account itself.
const reserveAddresses = `
  INSERT INTO users (first_name, last_name, email, mobile, password_hash, role, is_approved, is_verified,
    is_verified_mobile, deleted_at, reserved_by)
  SELECT '', '', CASE WHEN lower(i.email) IS DISTINCT FROM lower(u.email) THEN i.email END, i.mobile, '', u.role,
    true, false, false, now(), $1
  FROM import_users i JOIN users u ON u.id = i.user_id
  WHERE i.import_id = $1 AND i.action = 'update' AND i.line BETWEEN $2 AND $3
    AND (i.mobile IS NOT NULL OR lower(i.email) <> coalesce(lower(u.email), ''))`;
const freeAll = 'DELETE FROM users WHERE reserved_by = $1';

const create = `
  WITH changed AS (
    UPDATE users SET deleted_at = NULL, reserved_by = NULL, created_at = now()
    WHERE reserved_by = $1 AND id IN (
      SELECT user_id FROM import_users WHERE import_id = $1 AND action = 'create' AND line BETWEEN $2 AND $3)
    RETURNING *)
  SELECT ${userColumns} FROM changed ORDER BY id`;

// Whoever was deleted or made an administrator after the import was decided, stays that.
const change = `
  WITH changed AS (
    UPDATE users u SET
      first_name = coalesce(i.first_name, u.first_name), last_name = coalesce(i.last_name, u.last_name),
      email = coalesce(i.email, u.email), mobile = coalesce(i.mobile, u.mobile), role = coalesce(i.role, u.role),
      is_blocked = coalesce(i.is_blocked, u.is_blocked), revision = u.revision + 1
    FROM import_users i
    WHERE i.import_id = $1 AND i.action = 'update' AND i.line BETWEEN $2 AND $3
      AND u.id = i.user_id AND u.deleted_at IS NULL AND u.role <> 'admin'
      AND num_nonnulls(i.first_name, i.last_name, i.email, i.mobile, i.role, i.is_blocked) > 0
    RETURNING u.*)
  SELECT ${userColumns} FROM changed ORDER BY id`;

const affected = (action: string, condition: string) => `
  SELECT u.id FROM import_users i JOIN users u ON u.id = i.user_id AND u.deleted_at IS NULL AND u.role <> 'admin'
  WHERE i.import_id = $1 AND i.action = '${action}' AND ${condition}`;
const withdrawn = affected('update', '(i.role IS NOT NULL OR i.is_blocked)');
const readdressed = affected(
  'update',
  '(i.role IS NOT NULL OR i.is_blocked OR num_nonnulls(i.email, i.mobile) > 0)',
);
const deleted = affected('delete', 'true');

const loggedIn = (who: string) => `
  SELECT DISTINCT user_id AS id FROM sessions WHERE ended_at IS NULL AND user_id IN (${who}) ORDER BY id`;
const deleteCodes = (who: string) => `DELETE FROM login_codes WHERE user_id IN (${who})`;
const deleteDevices = `DELETE FROM devices WHERE user_id IN (${deleted})`;
const erase = `
  WITH changed AS (
    UPDATE users SET first_name = '', last_name = '', email = NULL, mobile = NULL, password_hash = '',
      revision = revision + 1, deleted_at = now()
    WHERE id IN (${deleted} AND i.line BETWEEN $2 AND $3)
    RETURNING *)
  SELECT ${userColumns} FROM changed ORDER BY id`;

const forgetSources = `
  DELETE FROM user_sources WHERE user_id IN (
    SELECT user_id FROM import_users WHERE import_id = $1 AND action = 'delete')`;
const putSources = `
  INSERT INTO user_sources (sourced_id, user_id, blocked_by_import)
  SELECT sourced_id, user_id, coalesce(is_blocked, false) FROM import_users
  WHERE import_id = $1 AND action <> 'delete' AND (action = 'create' OR is_adopted OR is_blocked IS NOT NULL)
  ON CONFLICT (sourced_id) DO UPDATE 
    SET user_id = excluded.user_id, blocked_by_import = excluded.blocked_by_import`;

// No statement may take longer than the connection's limit, however large an import is.
const linesAtOnce = 2_000;

/** Plans of imports, and their effect on accounts. */
export class ImportRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** The accounts that these are or might be. */
  findKnown(users: ImportedUser[]): Promise<KnownUser[]> {
    const bind = [
      users.map(({ sourcedId }) => sourcedId),
      users.flatMap(({ email }) => email?.toLowerCase() ?? []),
      users.flatMap(({ mobile }) => mobile ?? []),
    ];
    return selectRows<KnownUser>(this.#sequelize, known, bind);
  }

  findSourced(sourcedIds: string[]): Promise<(User & { sourcedId: string })[]> {
    return selectRows(this.#sequelize, sourced, [sourcedIds]);
  }

  /** Ids that no account has had or will have. */
  async nextUserIds(count: number): Promise<number[]> {
    return (await selectRows<{ id: number }>(this.#sequelize, nextIds, [count])).map(({ id }) => id);
  }

  /** Keeps the plan of some lines in place of what was planned for them before. */
  async putPlan(
    { importId, expiresAt }: { importId: string; expiresAt: Date },
    lines: number[],
    rows: PlanRow[],
  ): Promise<void> {
    await this.#sequelize.transaction(async (transaction) => {
      await this.#sequelize.query(putImport, { bind: [importId, expiresAt], transaction });
      if ((await this.lock(importId, transaction)) !== 'planned')
        throw new Error(`import ${importId} is reserved: its plan cannot change`);
      await this.#sequelize.query(clearLines, { bind: [importId, lines], transaction });
      await this.#sequelize.query(putRows, { bind: [importId, JSON.stringify(rows)], transaction });
    });
  }

  /** The state of an import, which stays so until the transaction ends; undefined when nothing is known of it. */
  async lock(importId: string, transaction: Transaction): Promise<State | undefined> {
    const query = 'SELECT state FROM imports WHERE id = $1 FOR UPDATE';
    const [row] = await selectRows<{ state: State }>(this.#sequelize, query, [importId], transaction);
    return row?.state;
  }

  async setState(importId: string, state: State, transaction: Transaction): Promise<void> {
    await this.#run('UPDATE imports SET state = $2 WHERE id = $1', [importId, state], transaction);
  }

  /** Whether every account is still as it was when the import was planned. */
  async isCurrent(importId: string, transaction: Transaction): Promise<boolean> {
    const [row] = await selectRows<{ stale: number }>(this.#sequelize, countStale, [importId], transaction);
    return row?.stale === 0;
  }

  /** @throws a duplicate of `users_email` or `users_mobile` when an address or number is somebody's */
  async reserve(importId: string, transaction: Transaction): Promise<void> {
    for await (const range of this.#ranges(importId, transaction))
      for (const query of [reserveAccounts, reserveAddresses])
        await this.#run(query, [importId, ...range], transaction);
  }

  /** Gives back what is reserved and is no account yet. */
  async free(importId: string, transaction: Transaction): Promise<void> {
    await this.#run(freeAll, [importId], transaction);
  }

  /** The new accounts, a batch at a time, from now on seen by everybody. */
  create(importId: string, transaction: Transaction): AsyncIterable<User[]> {
    return this.#inBatches(create, importId, transaction);
  }

  /** The accounts that change, a batch at a time, as they are from now on. */
  change(importId: string, transaction: Transaction): AsyncIterable<User[]> {
    return this.#inBatches(change, importId, transaction);
  }

  /** The deleted accounts, a batch at a time, with nothing personal left in them. */
  erase(importId: string, transaction: Transaction): AsyncIterable<User[]> {
    return this.#inBatches(erase, importId, transaction);
  }

  /** Who is logged in and will not be any more: another role, blocked or deleted (D13). */
  async loggedIn(importId: string, transaction: Transaction): Promise<number[]> {
    const rows = [];
    for (const who of [withdrawn, deleted])
      rows.push(
        ...(await selectRows<{ id: number }>(this.#sequelize, loggedIn(who), [importId], transaction)),
      );
    return rows.map(({ id }) => id);
  }

  /** Deletes the codes that went to addresses of before, and the devices of deleted accounts. */
  async forgetAccess(importId: string, transaction: Transaction): Promise<void> {
    for (const query of [deleteCodes(readdressed), deleteCodes(deleted), deleteDevices])
      await this.#run(query, [importId], transaction);
  }

  /** Notes what the import calls its accounts. */
  async putSources(importId: string, transaction: Transaction): Promise<void> {
    await this.#run(forgetSources, [importId], transaction);
    await this.#run(putSources, [importId], transaction);
  }

  async clearPlan(importId: string, transaction: Transaction): Promise<void> {
    await this.#run('DELETE FROM import_users WHERE import_id = $1', [importId], transaction);
  }

  async #run(query: string, bind: unknown[], transaction: Transaction): Promise<void> {
    await this.#sequelize.query(query, { bind, transaction });
  }

  async *#ranges(importId: string, transaction: Transaction): AsyncIterable<[number, number]> {
    const query = 'SELECT max(line) AS last FROM import_users WHERE import_id = $1';
    const [row] = await selectRows<{ last: number | null }>(this.#sequelize, query, [importId], transaction);
    for (let start = 0; start <= (row?.last ?? -1); start += linesAtOnce)
      yield [start, start + linesAtOnce - 1];
  }

  async *#inBatches(query: string, importId: string, transaction: Transaction): AsyncIterable<User[]> {
    for await (const range of this.#ranges(importId, transaction))
      yield await selectRows<User>(this.#sequelize, query, [importId, ...range], transaction);
  }
}
