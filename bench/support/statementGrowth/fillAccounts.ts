/**
 * The rows that logins and imports leave in auth: devices, known addresses, one-time codes, failed attempts, erasures, and the
 * plan of an import. A thousand rows of each kind that expires have expired.
 */
export const fillAccounts = (students: number): string => `
  INSERT INTO devices (user_id, token, type, last_login_at)
    SELECT n, gen_random_uuid(), 'web', now() FROM generate_series(1, ${students}) n;
  UPDATE sessions SET device_id = user_id;
  INSERT INTO login_addresses (user_id, network, last_login_at)
    SELECT n, '192.0.2.1', now() - CASE WHEN n <= 1000 THEN interval '31 days' ELSE interval '1 day' END
    FROM generate_series(1, ${students}) n;
  INSERT INTO login_codes (key, user_id, code_hash, expires_at)
    SELECT 'user:' || n, n, md5(n::text), now() + CASE WHEN n <= 1000 THEN -1 ELSE 1 END * interval '5 minutes'
    FROM generate_series(1, ${students}) n;
  INSERT INTO attempts (key, count, expires_at)
    SELECT 'login:' || n, 1, now() + CASE WHEN n <= 1000 THEN -1 ELSE 1 END * interval '5 minutes'
    FROM generate_series(1, ${students}) n;
  INSERT INTO erasures (user_id, keeps_grades, status, requested_by, completed_at)
    SELECT n, false, 'done', 1, now() FROM generate_series(${students} - 1000, ${students}) n;
  INSERT INTO imports (id, state, expires_at) SELECT gen_random_uuid(), 'planned', now() + n * interval '1 minute'
    FROM generate_series(1, 1000) n;
  INSERT INTO import_users (import_id, line, sourced_id, action, user_id, is_adopted, revision)
    SELECT (SELECT id FROM imports LIMIT 1), n, 'u' || n, 'unchanged', n, false, 1 FROM generate_series(1, ${students}) n;`;
