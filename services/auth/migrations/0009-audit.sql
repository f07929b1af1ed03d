-- The audit log is created with the roles (local/src/provisionAuditLog.ts, k8s/platform/postgres/roles.sql), because
-- auth must not own it (decision 0035). This migration creates the inbox for the entries that other services send.

DO $$
BEGIN
  IF has_table_privilege(to_regclass('audit.entries'), 'INSERT') IS NOT TRUE
    OR to_regprocedure('audit.erase_person(integer)') IS NULL THEN
    RAISE EXCEPTION 'the audit log does not exist: run k8s/platform/postgres/roles.sql again, then this migration';
  END IF;
END
$$;

\ir ../../../shared/migrations/inbox-1.sql
