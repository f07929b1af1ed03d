-- Imports of accounts: their plans, and the sourcedIds that earlier imports gave to accounts.

-- The id of an account in the school's own system. Meaningless once the account is deleted.
CREATE TABLE user_sources (
  sourced_id text PRIMARY KEY,
  user_id integer NOT NULL UNIQUE REFERENCES users,
  -- Whether an import has blocked the account. Only then may an import unblock it.
  blocked_by_import boolean NOT NULL DEFAULT false
);

/*
 * An import is planned, then reserved, then done (proto/gradeway/auth/v1/auth.proto). Courses controls the transitions:
 * an import stays reserved until courses completes or releases it, without a time limit.
 */
CREATE TABLE imports (
  id uuid PRIMARY KEY,
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'reserved', 'done')),
  expires_at timestamptz NOT NULL
);
CREATE INDEX imports_age ON imports (expires_at);

-- The plan for one account. For an existing account only the changed columns are set.
CREATE TABLE import_users (
  import_id uuid NOT NULL REFERENCES imports ON DELETE CASCADE,
  line integer NOT NULL,
  sourced_id text NOT NULL,
  action text NOT NULL CHECK (action IN ('create', 'update', 'delete', 'unchanged')),
  -- New accounts get their id with the plan.
  user_id integer NOT NULL,
  -- The account existed before any import referred to it.
  is_adopted boolean NOT NULL,
  -- The revision of the account when it was planned.
  revision integer NOT NULL,
  first_name text,
  last_name text,
  email text,
  mobile text,
  role text,
  is_blocked boolean,
  password_hash text,
  PRIMARY KEY (import_id, line)
);
CREATE INDEX import_users_account ON import_users (import_id, user_id);

/*
 * Set for a row of a reserved import: a future account, or an address that an account will get. The row counts as
 * deleted and is therefore invisible, but the unique indexes already cover its address and number.
 */
ALTER TABLE users ADD COLUMN reserved_by uuid;
CREATE INDEX users_reserved ON users (reserved_by) WHERE reserved_by IS NOT NULL;
