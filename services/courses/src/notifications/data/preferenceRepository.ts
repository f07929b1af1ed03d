import { inTransaction } from '@gradeway/shared/database/connection';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import { defaultPreferences, type PreferenceChange, type Preferences } from '../domain/preferences.ts';

/** The preferences of a recipient. */
interface StoredPreferences extends Preferences {
  userId: number;
  /** Signs the links to unsubscribe. */
  unsubscribeKey: string;
}

const columns = 'user_id AS "userId", language, kinds, unsubscribe_key AS "unsubscribeKey"';
const find = `SELECT ${columns} FROM mail_preferences WHERE user_id = ANY($1::int[])`;
const create = `
  INSERT INTO mail_preferences (user_id) SELECT DISTINCT id FROM unnest($1::int[]) AS people (id)
  WHERE id NOT IN (SELECT user_id FROM erased_people) ORDER BY id
  ON CONFLICT DO NOTHING`;
const lock = `SELECT ${columns} FROM mail_preferences WHERE user_id = $1 FOR UPDATE`;
const save = 'UPDATE mail_preferences SET language = $2, kinds = $3 WHERE user_id = $1';

/** Stores what people chose. */
export class PreferenceRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns the stored preferences; omits people who have none. */
  find(userIds: number[]): Promise<StoredPreferences[]> {
    return query(this.#db, { sql: find, values: [userIds] });
  }

  /** Returns a person's preferences, which are the defaults if none are stored. */
  async of(userId: number): Promise<Preferences> {
    return (await this.find([userId]))[0] ?? defaultPreferences;
  }

  /** Returns the preferences of several people, and stores the defaults for those who have none. Omits erased people. */
  async ensure(userIds: number[]): Promise<Map<number, StoredPreferences>> {
    await query(this.#db, { sql: create, values: [userIds] });
    return new Map((await this.find(userIds)).map((each) => [each.userId, each]));
  }

  /** Changes a person's preferences. Concurrent changes wait for each other. */
  change(
    userId: number,
    changeOf: (before: StoredPreferences) => PreferenceChange,
    guard: (transaction: Transaction) => Promise<void> = async () => {},
  ): Promise<Preferences> {
    return inTransaction(this.#db, async (transaction) => {
      await guard(transaction);
      await query(this.#db, { sql: create, values: [[userId]], transaction });
      const values = [userId];
      const [before] = await query<StoredPreferences>(this.#db, { sql: lock, values, transaction });
      if (!before) throw new Error('the preferences were not created');
      const { language = before.language, kinds } = changeOf(before);
      const after = { language, kinds: { ...before.kinds, ...kinds } };
      await query(this.#db, {
        sql: save,
        values: [userId, after.language, JSON.stringify(after.kinds)],
        transaction,
      });
      return after;
    });
  }
}
