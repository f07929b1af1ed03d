import type { Client } from 'pg';

/*
 * The audit log belongs to a role that cannot log in. Auth can add and read entries, but not change or delete them. The
 * owner must be another role, because the owner of a table could grant itself every right (decision 0035).
 *
 * The only exceptions are two functions with the owner's rights. An erasure removes a person's data from entries, but
 * keeps the entries. Retention deletes only entries older than 90 days, regardless of auth's settings.
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
  CREATE OR REPLACE FUNCTION audit.erase_person(person integer) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $function$
    UPDATE audit.entries SET changes = NULL WHERE changes IS NOT NULL AND (
      (object_type = 'user' AND object_id = person::text)
      OR (action = 'device.registered' AND actor_id = person)
      OR (action = 'device.deleted' AND changes->'user_id'->0 = to_jsonb(person)));
    UPDATE audit.entries SET address = NULL WHERE address IS NOT NULL AND (
      actor_id = person OR (action = 'login.refused' AND object_type = 'user' AND object_id = person::text));
  $function$;
  CREATE OR REPLACE FUNCTION audit.delete_before(moment timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $function$
  DECLARE
    deleted integer;
  BEGIN
    IF moment > now() - interval '90 days' THEN
      RAISE EXCEPTION 'entries of the last 90 days cannot be deleted';
    END IF;
    DELETE FROM audit.entries WHERE position IN
      (SELECT position FROM audit.entries WHERE at < moment ORDER BY at, position LIMIT most);
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
  END
  $function$;
  REVOKE ALL ON FUNCTION audit.erase_person(integer), audit.delete_before(timestamptz, integer) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION audit.erase_person(integer), audit.delete_before(timestamptz, integer) TO gradeway_auth;
  RESET ROLE;`;

/** Creates the audit log and its owner, within a transaction. Auth's role must exist. Idempotent. */
export async function provisionAuditLog(client: Client): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = 'gradeway_audit'");
  if (rowCount === 0)
    await client.query('CREATE ROLE gradeway_audit NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT');
  await client.query('GRANT gradeway_audit TO CURRENT_USER');
  await client.query(auditLog);
}
