-- Accounts of imports: what is planned, and what earlier imports called the accounts that are there.

-- What the school's own system calls an account. One whose account was deleted since means nothing any more.
CREATE TABLE user_sources (
  sourced_id text PRIMARY KEY,
  user_id integer NOT NULL UNIQUE REFERENCES users,
  -- An import has blocked the account: then an import may unblock it. What an administrator blocked, stays blocked.
  blocked_by_import boolean NOT NULL DEFAULT false
);

/*
 * An import is planned, reserved and done (proto/gradeway/auth/v1/auth.proto). Courses decides when: a reserved one
 * stays so until courses says what became of it, however long that takes.
 */
CREATE TABLE imports (
  id uuid PRIMARY KEY,
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'reserved', 'done')),
  expires_at timestamptz NOT NULL
);
CREATE INDEX imports_age ON imports (expires_at);

-- What is to become of one account. Of an account that is there only what changes is set.
CREATE TABLE import_users (
  import_id uuid NOT NULL REFERENCES imports ON DELETE CASCADE,
  line integer NOT NULL,
  sourced_id text NOT NULL,
  action text NOT NULL CHECK (action IN ('create', 'update', 'delete', 'unchanged')),
  -- Of a new account as well: ids are given when it is planned.
  user_id integer NOT NULL,
  -- The account was there before any import knew it.
  is_adopted boolean NOT NULL,
  -- Which the account had when it was planned.
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
 * A row with this set belongs to a reserved import: an account that will be there, or an address that an account will
 * have. It counts as deleted, so nobody sees it; its address and number are taken by the same indexes as any other.
 */
ALTER TABLE users ADD COLUMN reserved_by uuid;
CREATE INDEX users_reserved ON users (reserved_by) WHERE reserved_by IS NOT NULL;
