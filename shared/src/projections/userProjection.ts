import type { AuthServiceClient, User } from '@gradeway/proto/auth';
import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import type { UserState } from '../events/catalog.ts';
import type { GrpcClient } from '../grpc/client.ts';
import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';

interface ProjectedUser {
  userId: number;
  firstName: string;
  lastName: string;
  email: string | null;
  /** Empty if the account has none; null if unknown. */
  mobile: string | null;
  isDeleted: boolean;
  isService: boolean;
  revision: number;
}

interface Options {
  sequelize: Sequelize;
  auth: GrpcClient<AuthServiceClient>;
  log: Logger;
  /** A query for the `user_id` of every account that this service's rows refer to. */
  referenced: string;
}

// States arrive from events and from auth's responses, in any order. The higher revision wins. A second state with
// the same revision may add the mobile number, which previous versions did not send or store.
const upsert = `
  INSERT INTO people (user_id, first_name, last_name, email, is_deleted, revision, mobile, is_service)
  SELECT DISTINCT ON (user_id) *
  FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::int[], $7::text[], $8::boolean[])
    AS states (user_id, first_name, last_name, email, is_deleted, revision, mobile, is_service)
  ORDER BY user_id, revision DESC
  ON CONFLICT (user_id) DO UPDATE SET
    first_name = excluded.first_name, last_name = excluded.last_name, email = excluded.email,
    is_deleted = excluded.is_deleted, revision = excluded.revision, mobile = coalesce(excluded.mobile, people.mobile),
    is_service = excluded.is_service
  WHERE people.revision < excluded.revision
    OR (people.revision = excluded.revision AND people.mobile IS NULL AND excluded.mobile IS NOT NULL)`;

const known = 'SELECT user_id FROM people WHERE user_id = ANY($1)';
const batchSize = 500;
const retryEveryMs = 30_000;
const fetchFailed = 'could not fetch user names; will retry';

/**
 * Local copy of the names and email addresses of auth's accounts and service accounts, in the service's table `people`. An account is
 * fetched from auth when a record first refers to it, and updated by auth's events. While auth is unreachable, names
 * can be missing; they are fetched later. Nothing else is affected.
 */
export class UserProjection {
  readonly #options: Options;
  readonly #stopRetrying: () => Promise<void>;

  constructor(options: Options) {
    this.#options = options;
    this.#stopRetrying = runEvery({
      everyMs: retryEveryMs,
      task: () => this.#fetchMissing(),
      log: options.log,
      failureMessage: fetchFailed,
    });
  }

  close(): Promise<void> {
    return this.#stopRetrying();
  }

  /** Fetches the accounts that are not in the projection yet. Does not throw if auth is unreachable. */
  async ensureLoaded(userIds: number[]): Promise<void> {
    const { sequelize, log } = this.#options;
    const rows = await query<{ user_id: number }>(sequelize, { sql: known, values: [userIds] });
    const knownIds = new Set(rows.map(({ user_id }) => user_id));
    const missing = userIds.filter((id) => !knownIds.has(id));
    if (missing.length === 0) return;
    try {
      await this.#fetch(missing);
    } catch (error) {
      log.warn({ err: error }, fetchFailed);
    }
  }

  /** Fetches every account that the service's rows refer to. Returns their number. */
  async rebuild(): Promise<number> {
    return this.#fetchAll(`SELECT DISTINCT user_id FROM (${this.#options.referenced}) AS referenced`);
  }

  /**
   * Applies account states from auth's events or responses, and locks their rows in id order. Older states change
   * nothing. When applying several accounts at once, the transaction should have a short lock timeout
   * (consumeEvents.ts).
   */
  async applyChanges(users: UserState[], transaction: Transaction): Promise<void> {
    const states = users.map((user) => fromEvent(user, false));
    await this.#put(states, transaction);
  }

  /** Deletes an account's name, email address and mobile number. */
  async applyDeletion(user: UserState, transaction: Transaction): Promise<void> {
    await this.#put([fromEvent(user, true)], transaction);
  }

  async #fetchMissing(): Promise<void> {
    await this.#fetchAll(
      `SELECT DISTINCT user_id FROM (${this.#options.referenced}) AS referenced
       WHERE NOT EXISTS (SELECT FROM people WHERE people.user_id = referenced.user_id)`,
    );
  }

  async #fetchAll(sql: string): Promise<number> {
    const rows = await query<{ user_id: number }>(this.#options.sequelize, { sql });
    for (let start = 0; start < rows.length; start += batchSize)
      await this.#fetch(rows.slice(start, start + batchSize).map(({ user_id }) => user_id));
    return rows.length;
  }

  async #fetch(userIds: number[]): Promise<void> {
    const { users } = await this.#options.auth.call('getUsers', { userIds }, { timeoutMs: 1_500 });
    const found = new Map(users.map((user) => [user.userId, user]));
    // Sequentially: a statement that locks many rows could deadlock with an import, which locks them in another order.
    for (const id of userIds) await this.#put([fromResponse(id, found.get(id))]);
  }

  async #put(users: ProjectedUser[], transaction?: Transaction): Promise<void> {
    const values = [
      users.map(({ userId }) => userId),
      users.map(({ firstName }) => firstName),
      users.map(({ lastName }) => lastName),
      users.map(({ email }) => email),
      users.map(({ isDeleted }) => isDeleted),
      users.map(({ revision }) => revision),
      users.map(({ mobile }) => mobile),
      users.map(({ isService }) => isService),
    ];
    await query(this.#options.sequelize, { name: 'people', sql: upsert, values, transaction });
  }
}

const fromEvent = (user: UserState, isDeleted: boolean): ProjectedUser => ({
  userId: user.user_id,
  firstName: isDeleted ? '' : user.first_name,
  lastName: isDeleted ? '' : user.last_name,
  email: isDeleted ? null : user.email,
  mobile: isDeleted ? '' : mobileOf(user.mobile),
  isDeleted,
  isService: user.role === 'service',
  revision: user.revision,
});

// Auth returns only existing accounts, so a missing one has been deleted. Revision 0 is older than any event.
const fromResponse = (userId: number, user: User | undefined): ProjectedUser => ({
  userId,
  firstName: user?.firstName ?? '',
  lastName: user?.lastName ?? '',
  email: user?.email || null,
  mobile: user ? mobileOf(user.mobile) : '',
  isDeleted: user === undefined,
  isService: user?.role === 'service',
  revision: user?.revision ?? 0,
});

/** Null if a previous version of auth sent no number. */
const mobileOf = (mobile: string | null | undefined): string | null =>
  mobile === undefined ? null : (mobile ?? '');
