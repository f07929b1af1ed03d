-- Creates a role for each service that owns the schema with its name and has no access to the others, and the audit log.
-- Run it as a superuser or a role that may create roles, in the database of Gradeway, and again before each update.
-- Running it again changes only the passwords, which are session variables. With a password for the backup, it also
-- creates a role that may read every schema (k8s/platform/backup):
--   PGOPTIONS="-c gradeway.auth_password=… -c gradeway.courses_password=… -c gradeway.homework_password=… \
--     -c gradeway.quiz_password=… -c gradeway.backup_password=…" psql -v ON_ERROR_STOP=1 -f roles.sql "$ADMIN_DATABASE_URL"
-- local/src/provisionDatabase.ts does the same for `npm start`; test/contract/roles.test.ts compares them.
DO $$
DECLARE
  service text;
  role text;
BEGIN
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());

  FOREACH service IN ARRAY ARRAY['auth', 'courses', 'homework', 'quiz'] LOOP
    role := 'gradeway_' || service;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT', role);
    END IF;
    EXECUTE format('ALTER ROLE %I PASSWORD %L', role, current_setting(format('gradeway.%s_password', service)));
    -- Only a superuser can give a schema to a role without being a member of it.
    EXECUTE format('GRANT %I TO CURRENT_USER', role);
    EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), role);
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I', service, role);
    EXECUTE format('ALTER ROLE %I SET search_path = %I', role, service);
    -- The timeouts of shared/src/database/connection.ts, for connections through PgBouncer, which does not pass them on.
    EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = %L', role, current_database(), '5s');
    EXECUTE format('ALTER ROLE %I IN DATABASE %I SET lock_timeout = %L', role, current_database(), '4s');
    EXECUTE format('ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = %L', role, current_database(), '10s');
  END LOOP;

  IF coalesce(current_setting('gradeway.backup_password', true), '') <> '' THEN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gradeway_backup') THEN
      CREATE ROLE gradeway_backup LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
    EXECUTE format('ALTER ROLE gradeway_backup PASSWORD %L', current_setting('gradeway.backup_password'));
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO gradeway_backup', current_database());
    GRANT pg_read_all_data TO gradeway_backup;
  END IF;

  -- The audit log belongs to a role that cannot log in. Auth can add and read entries, but not change or delete them
  -- (decision 0035), except through two functions with the owner's rights.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gradeway_audit') THEN
    CREATE ROLE gradeway_audit NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT;
  END IF;
  GRANT gradeway_audit TO CURRENT_USER;
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
  RESET ROLE;
END
$$;
