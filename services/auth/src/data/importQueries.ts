import { userColumns } from './userRepository.ts';

/*
 * SQL that applies imports to accounts. $1 is the import id; $2 and $3 are the first and last line that one statement
 * covers.
 */

export const selectMatching = `
  SELECT ${userColumns}, s.sourced_id AS "sourcedId", coalesce(s.blocked_by_import, false) AS "isBlockedByImport"
  FROM (
    SELECT user_id AS id FROM user_sources WHERE sourced_id = ANY($1)
    UNION SELECT id FROM users WHERE lower(email) = ANY($2)
    UNION SELECT id FROM users WHERE mobile = ANY($3)) AS candidates
  JOIN users USING (id) LEFT JOIN user_sources s ON s.user_id = id
  WHERE deleted_at IS NULL`;

export const selectBySourcedId = `
  SELECT s.sourced_id AS "sourcedId", ${userColumns}
  FROM user_sources s JOIN users ON id = s.user_id
  WHERE s.sourced_id = ANY($1) AND deleted_at IS NULL`;

export const allocateUserIds = `
  SELECT nextval(pg_get_serial_sequence('users', 'id'))::integer AS id FROM generate_series(1, $1)`;

export const insertImport = `
  INSERT INTO imports (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`;
export const deletePlanRows = 'DELETE FROM import_users WHERE import_id = $1 AND line = ANY($2)';
export const insertPlanRows = `
  INSERT INTO import_users (import_id, line, sourced_id, action, user_id, is_adopted, revision, first_name, last_name,
    email, mobile, role, is_blocked, password_hash)
  SELECT $1, line, "sourcedId", action, "userId", "isAdopted", revision, "firstName", "lastName",
    email, mobile, role, "isBlocked", "passwordHash"
  FROM jsonb_to_recordset($2::jsonb) AS rows (line int, "sourcedId" text, action text, "userId" int,
    "isAdopted" boolean, revision int, "firstName" text, "lastName" text, email text, mobile text, role text,
    "isBlocked" boolean, "passwordHash" text)`;

// Rows whose account was changed, deleted or given another sourcedId since planning, or is claimed by two lines.
export const countStaleRows = `
  SELECT count(*)::int AS stale
  FROM import_users i
  LEFT JOIN users u ON u.id = i.user_id AND u.deleted_at IS NULL
  LEFT JOIN user_sources own ON own.user_id = u.id
  LEFT JOIN user_sources s ON s.sourced_id = i.sourced_id
  LEFT JOIN users named ON named.id = s.user_id AND named.deleted_at IS NULL
  WHERE i.import_id = $1 AND (
    coalesce(u.revision, 0) <> i.revision
    OR named.id IS DISTINCT FROM (CASE WHEN i.action = 'create' OR i.is_adopted THEN NULL ELSE i.user_id END)
    OR i.is_adopted AND own.sourced_id IS NOT NULL
    OR EXISTS (
      SELECT FROM import_users twin
      WHERE twin.import_id = $1 AND twin.user_id = i.user_id AND twin.line <> i.line))`;

export const reserveAccounts = `
  INSERT INTO users (id, first_name, last_name, email, mobile, password_hash, must_change_password, role, is_approved,
    is_blocked, is_verified, is_verified_mobile, deleted_at, reserved_by)
  OVERRIDING SYSTEM VALUE
  SELECT user_id, first_name, last_name, email, mobile, password_hash, true, role, true, is_blocked, false, false,
    now(), $1
  FROM import_users WHERE import_id = $1 AND action = 'create' AND line BETWEEN $2 AND $3`;
// If an address differs only in case, the account itself already holds it.
export const reserveAddresses = `
  INSERT INTO users (first_name, last_name, email, mobile, password_hash, role, is_approved, is_verified,
    is_verified_mobile, deleted_at, reserved_by)
  SELECT '', '', CASE WHEN lower(i.email) IS DISTINCT FROM lower(u.email) THEN i.email END, i.mobile, '', u.role,
    true, false, false, now(), $1
  FROM import_users i JOIN users u ON u.id = i.user_id
  WHERE i.import_id = $1 AND i.action = 'update' AND i.line BETWEEN $2 AND $3
    AND (i.mobile IS NOT NULL OR lower(i.email) <> coalesce(lower(u.email), ''))`;
export const deleteReservations = 'DELETE FROM users WHERE reserved_by = $1';

export const activateUsers = `
  WITH changed AS (
    UPDATE users SET deleted_at = NULL, reserved_by = NULL, created_at = now()
    WHERE reserved_by = $1 AND id IN (
      SELECT user_id FROM import_users WHERE import_id = $1 AND action = 'create' AND line BETWEEN $2 AND $3)
    RETURNING *)
  SELECT ${userColumns} FROM changed ORDER BY id`;

// Accounts that were deleted or became administrators after the import was planned stay unchanged.
export const updateUsers = `
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

const selectAffected = (action: string, condition: string) => `
  SELECT u.id FROM import_users i JOIN users u ON u.id = i.user_id AND u.deleted_at IS NULL AND u.role <> 'admin'
  WHERE i.import_id = $1 AND i.action = '${action}' AND ${condition}`;
export const usersLosingAccess = selectAffected('update', '(i.role IS NOT NULL OR i.is_blocked)');
export const usersWithInvalidCodes = selectAffected(
  'update',
  '(i.role IS NOT NULL OR i.is_blocked OR num_nonnulls(i.email, i.mobile) > 0)',
);
export const deletedUsers = selectAffected('delete', 'true');

export const selectLoggedIn = (users: string) => `
  SELECT DISTINCT user_id AS id FROM sessions WHERE ended_at IS NULL AND user_id IN (${users}) ORDER BY id`;
export const deleteLoginCodes = (users: string) => `DELETE FROM login_codes WHERE user_id IN (${users})`;
export const deleteLoginAddresses = `DELETE FROM login_addresses WHERE user_id IN (${deletedUsers})`;
export const deleteDevices = `DELETE FROM devices WHERE user_id IN (${deletedUsers})`;
export const deleteSecondFactors = `DELETE FROM totp_factors WHERE user_id IN (${deletedUsers})`;
export const eraseUsers = `
  WITH changed AS (
    UPDATE users SET first_name = '', last_name = '', email = NULL, mobile = NULL, password_hash = '',
      revision = revision + 1, deleted_at = now()
    WHERE id IN (${deletedUsers} AND i.line BETWEEN $2 AND $3)
    RETURNING *)
  SELECT ${userColumns} FROM changed ORDER BY id`;

export const deleteSourcedIds = `
  DELETE FROM user_sources WHERE user_id IN (
    SELECT user_id FROM import_users WHERE import_id = $1 AND action = 'delete')`;
export const upsertSourcedIds = `
  INSERT INTO user_sources (sourced_id, user_id, blocked_by_import)
  SELECT sourced_id, user_id, coalesce(is_blocked, false) FROM import_users
  WHERE import_id = $1 AND action <> 'delete' AND sourced_id <> '' AND (action = 'create' OR is_adopted OR is_blocked IS NOT NULL)
  ON CONFLICT (sourced_id) DO UPDATE
    SET user_id = excluded.user_id, blocked_by_import = excluded.blocked_by_import`;
