import { query, writeAtOnce } from '@gradeway/shared/database/query';
import type { AuditEntryState } from '@gradeway/shared/events/catalog';
import type { Sequelize } from 'sequelize';
import type { ClientDevice } from '../domain/device.ts';
import type { Failures, LoginAttempt } from '../domain/loginAttempt.ts';
import { hashLoginIdentifier, type LoginIdentifier } from '../domain/loginIdentifier.ts';
import type { User } from '../domain/user.ts';
import type { PreparedToken } from '../tokens/accessTokenIssuer.ts';
import type { AttemptLimiter } from './attemptLimiter.ts';
import { auditColumns } from './auditRepository.ts';
import { upsertNetwork } from './knownSourceRepository.ts';
import { userColumns } from './userRepository.ts';

interface KnownLogin {
  client: ClientDevice;
  token: PreparedToken;
  /** The audit log entry, except its session. */
  entry: AuditEntryState;
}

interface Row extends Omit<User, 'id'>, Failures {
  id: number | null;
  version: string | null;
  deviceId: number | null;
  failuresKey: string;
}

/*
 * Failed logins are counted separately for each device and network that has logged in to the account, and together for
 * all others (D50). Password guessing from elsewhere therefore never locks out the owner. A known device takes
 * precedence over a known network, which it may share with an attacker. A browser without a token is not a known
 * device, because any client can send its User-Agent.
 *
 * An unknown account uses the same statement and so takes the same time. Its failures count under the hash of its
 * identifier, $4.
 */
const findBy = (identifier: string) => `
  WITH account AS (
    SELECT ${userColumns}, xmin::text AS version FROM users WHERE ${identifier} = $1 AND deleted_at IS NULL),
  device AS (
    SELECT id, token = $2 AND NOT is_disabled AS is_known FROM devices
    WHERE user_id = (SELECT id FROM account)
      AND (token = $2 OR ($2::text IS NULL AND user_agent = $3 AND type = 'web'))
    ORDER BY id LIMIT 1),
  attempted AS (
    SELECT concat_ws(' ', coalesce((SELECT id::text FROM account), $4), CASE
      WHEN (SELECT is_known FROM device) THEN 'device ' || (SELECT id FROM device)
      WHEN EXISTS (
        SELECT FROM login_addresses
        WHERE user_id = (SELECT id FROM account) AND network = $5 AND last_login_at > now() - interval '30 days')
        THEN 'network ' || $5
      END) AS key)
  SELECT account.*, device.id AS "deviceId", attempted.key AS "failuresKey", coalesce(attempts.count, 0) AS count,
    coalesce(ceil(extract(epoch FROM attempts.expires_at - now())), 0)::integer AS "secondsLeft"
  FROM attempted LEFT JOIN account ON true LEFT JOIN device ON true
  LEFT JOIN attempts ON attempts.key = $6::text || ' ' || attempted.key AND attempts.expires_at > now()`;

const selectByEmail = findBy('lower(email)');
const selectByMobile = findBy('mobile');

/*
 * All writes of a login on a known device. They only take effect if the account has not changed since it was read ($2),
 * the number of failed attempts is below the limit ($4), and there is no second factor.
 *
 * The statement waits for the lock that changes to the account and its devices hold. It then sees the current version
 * of these two rows, because it locks them itself: if in the meantime the account was blocked, its password changed or
 * the device disabled, it finds no row. It reads the other tables as they were when it started, after the password was
 * verified. This is recent enough: a failure or second factor committed while it waits could equally have been
 * committed after the login.
 */
const openKnown = `
  WITH account AS (
    SELECT id FROM users
    WHERE id = $1 AND xmin = $2::xid
      AND NOT EXISTS (SELECT FROM attempts WHERE key = $3 AND expires_at > now() AND count >= $4)
      AND NOT EXISTS (SELECT FROM totp_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL)
    FOR UPDATE),
  device AS (
    UPDATE devices SET last_login_at = now(), name = coalesce($7, name)
    FROM account
    WHERE devices.id = $5 AND user_id = account.id AND type = $6 AND NOT is_disabled
    RETURNING devices.id, token),
  network AS (${upsertNetwork("SELECT $1::integer, $8::text, now() FROM device WHERE $8 <> ''")}),
  session AS (
    INSERT INTO sessions (user_id, device_id, token_id, token_expires_at, change_password)
    SELECT $1::integer, id, $9::uuid, $10::timestamptz, false FROM device
    RETURNING id),
  entry AS (
    INSERT INTO audit.entries (session_id, ${auditColumns})
    SELECT session.id, ${auditColumns}
    FROM session, jsonb_to_record($11::jsonb) AS recorded (entry_id uuid, at timestamptz, actor_id integer, actor_role text,
      address text, action text, object_type text, object_id text, changes jsonb, request_id text))
  SELECT session.id AS "sessionId", device.token AS "deviceToken" FROM session, device`;

/** The two statements of a password login on a known device. This is a hot path. */
export class LoginRepository {
  readonly #db: Sequelize;
  readonly #limiter: AttemptLimiter;

  constructor(sequelize: Sequelize, limiter: AttemptLimiter) {
    this.#db = sequelize;
    this.#limiter = limiter;
  }

  async find(identifier: LoginIdentifier, client: ClientDevice): Promise<LoginAttempt> {
    const { kind, value } = identifier;
    const sql = kind === 'email' ? selectByEmail : selectByMobile;
    const { type, token, userAgent, network } = client;
    const browser = token === null && type === 'web' ? userAgent : null;
    const { purpose } = this.#limiter.condition;
    const values = [value, token, browser, hashLoginIdentifier(identifier), network, purpose];
    const [row] = await query<Row>(this.#db, { name: `login by ${kind}`, sql, values });
    if (!row) throw new Error('the statement of a login returned no row');
    const { id, version, deviceId, failuresKey, count, secondsLeft, ...user } = row;
    return {
      user: id === null ? undefined : { id, ...user },
      ...{ version, deviceId, failuresKey, failures: { count, secondsLeft } },
    };
  }

  /**
   * Opens a session on a registered device of the same type. Returns undefined and writes nothing if the login needs
   * more steps.
   */
  async openKnown(
    userId: number,
    { version, deviceId, failuresKey }: LoginAttempt,
    { client, token, entry }: KnownLogin,
  ): Promise<{ sessionId: number; deviceToken: string } | undefined> {
    const { purpose, limit } = this.#limiter.condition;
    const { type, name, network } = client;
    const condition = [userId, version, `${purpose} ${failuresKey}`, limit];
    const written = [
      deviceId,
      type,
      name,
      network,
      token.tokenId,
      token.tokenExpiresAt,
      JSON.stringify(entry),
    ];
    return writeAtOnce(this.#db, {
      name: 'login on a known device',
      sql: openKnown,
      values: [...condition, ...written],
    });
  }
}
