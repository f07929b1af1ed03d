-- For each service a role that owns the schema of its name and can reach no other. As a superuser, or as a role that may
-- create roles, in the database of Gradeway; running it again changes nothing but the passwords. They are settings of
-- the session, for example:
--   PGOPTIONS="-c gradeway.auth_password=… -c gradeway.courses_password=… -c gradeway.homework_password=… \
--     -c gradeway.quiz_password=…" psql -v ON_ERROR_STOP=1 -f roles.sql "$ADMIN_DATABASE_URL"
-- local/src/provisionDatabase.ts does the same for `npm start`; a test compares the two.
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
    -- Outside a superuser's session, a schema can be given only to a role that one is a member of.
    EXECUTE format('GRANT %I TO CURRENT_USER', role);
    EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), role);
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I', service, role);
    EXECUTE format('ALTER ROLE %I SET search_path = %I', role, service);
  END LOOP;
END
$$;
