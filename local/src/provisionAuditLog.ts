import type { Client } from 'pg';

/*
 * The audit log belongs to a role that nobody logs in as. Auth may add and read entries, and neither change nor delete
 * them: the owner of a table could give itself every right, so the owner must be another role (decision 0035).
 *
 * What deletes or redacts entries one day (retention, erasure) belongs here: a function of `gradeway_audit` with
 * SECURITY DEFINER that decides itself what may go, and EXECUTE on it for whoever calls it.
 */
const auditLog = `
  CREATE SCHEMA IF NOT EXISTS audit AUTHORIZATION gradeway_audit;
  SET LOCAL ROLE gradeway_audit;
  CREATE TABLE IF NOT EXISTS audit.entries (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry_id uuid NOT NULL UNIQUE,
    at timestamptz(3) NOT NULL,
    actor_id integer,
    actor_role text,
    session_id integer,
    address text,
    action text NOT NULL,
    object_type text,
    object_id text,
    changes jsonb,
    request_id text
  );
  CREATE INDEX IF NOT EXISTS entries_newest ON audit.entries (at, position);
  CREATE INDEX IF NOT EXISTS entries_by_actor ON audit.entries (actor_id, at, position);
  CREATE INDEX IF NOT EXISTS entries_by_action ON audit.entries (action, at, position);
  CREATE INDEX IF NOT EXISTS entries_by_object ON audit.entries (object_type, object_id, at, position);
  REVOKE ALL ON audit.entries FROM gradeway_auth;
  GRANT SELECT, INSERT ON audit.entries TO gradeway_auth;
  GRANT USAGE ON SCHEMA audit TO gradeway_auth;
  RESET ROLE;`;

/** Creates the audit log and its owner, within a transaction. The role of auth must exist. Can be repeated. */
export async function provisionAuditLog(client: Client): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = 'gradeway_audit'");
  if (rowCount === 0)
    await client.query('CREATE ROLE gradeway_audit NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT');
  await client.query('GRANT gradeway_audit TO CURRENT_USER');
  await client.query(auditLog);
}
