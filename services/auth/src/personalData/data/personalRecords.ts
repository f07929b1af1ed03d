import { keysetPages } from '@gradeway/shared/database/keysetPages';
import { query } from '@gradeway/shared/database/query';
import type { PersonalRecord } from '@gradeway/shared/personalData/personalDataService';
import type { Sequelize } from 'sequelize';

// Each page continues after the id of the last row. Neither passwords nor tokens leave the service.
const queries: [kind: string, sql: string][] = [
  [
    'account',
    `SELECT id, first_name, last_name, email, mobile, role, is_approved, is_blocked, is_verified, is_verified_mobile,
       created_at
     FROM users WHERE id = $1 AND id > $2 AND deleted_at IS NULL LIMIT $3`,
  ],
  [
    'sources',
    'SELECT user_id AS id, sourced_id FROM user_sources WHERE user_id = $1 AND user_id > $2 LIMIT $3',
  ],
  [
    'devices',
    `SELECT id, type, name, user_agent, is_disabled, created_at, last_login_at FROM devices
     WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ],
  [
    'networks',
    `SELECT id, network, last_login_at FROM (
       SELECT row_number() OVER (ORDER BY network)::integer AS id, network::text, last_login_at
       FROM login_addresses WHERE user_id = $1) AS numbered
     WHERE id > $2 ORDER BY id LIMIT $3`,
  ],
  [
    'sessions',
    `SELECT id, device_id, created_at, token_expires_at, ended_at FROM sessions
     WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ],
  [
    'tokens',
    `SELECT id, name, scopes, created_at, expires_at, last_used_at FROM api_tokens
     WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ],
  [
    'identities',
    `SELECT id, provider, issuer, subject, email, linked_at FROM identities
     WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ],
  [
    'sso_sessions',
    `SELECT s.id, o.provider, o.issuer, o.subject, o.sid FROM sessions s JOIN sso_sessions o ON o.session_id = s.id
     WHERE s.user_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3`,
  ],
  [
    'audit_log',
    `SELECT position::float8 AS id, at, action, object_type, object_id, changes, address, request_id FROM audit.entries
     WHERE (actor_id = $1 OR (object_type = 'user' AND object_id = $1::text)) AND position > $2
     ORDER BY position LIMIT $3`,
  ],
];

const pageSize = 200;

/** Yields everything that auth stores about a person. */
export async function* personalRecords(sequelize: Sequelize, userId: number): AsyncGenerator<PersonalRecord> {
  for (const [kind, sql] of queries) {
    const pages = keysetPages<{ id: number }>((last) =>
      query(sequelize, { sql, values: [userId, last?.id ?? 0, pageSize] }),
    );
    for await (const page of pages) for (const record of page) yield { kind, record };
  }
}
