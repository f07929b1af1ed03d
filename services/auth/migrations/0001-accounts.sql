-- Accounts, their devices, sessions and one-time codes.

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text,
  -- In international form, without spaces and dashes (D8).
  mobile text,
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('user', 'instructor', 'parent', 'admin')),
  is_approved boolean NOT NULL,
  is_blocked boolean NOT NULL DEFAULT false,
  is_verified boolean NOT NULL,
  is_verified_mobile boolean NOT NULL,
  -- What courses last said (D14). No part of the account: it changes without a new revision.
  cart_items integer NOT NULL DEFAULT 0,
  -- Grows with each change that an event tells of.
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A deleted account is an empty row: its id is never given again, and its revision goes on.
  deleted_at timestamptz,
  CONSTRAINT users_reachable CHECK (deleted_at IS NOT NULL OR num_nonnulls(email, mobile) > 0)
);
CREATE UNIQUE INDEX users_email ON users (lower(email));
CREATE UNIQUE INDEX users_mobile ON users (mobile);
CREATE INDEX users_administrators ON users (id) WHERE role = 'admin' AND deleted_at IS NULL;

CREATE TABLE devices (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  token text NOT NULL,
  type text NOT NULL CHECK (type IN ('web', 'app', 'desktop')),
  name text,
  -- Set for a browser that brought no token: by this it is known again (D9).
  user_agent text,
  is_disabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz NOT NULL,
  CONSTRAINT devices_one_per_token UNIQUE (user_id, token)
);
CREATE INDEX devices_token ON devices (token);

CREATE TABLE sessions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  device_id integer REFERENCES devices ON DELETE SET NULL,
  -- The one token that counts now; a session's earlier ones were exchanged for it (D12).
  token_id uuid NOT NULL,
  token_expires_at timestamptz NOT NULL,
  -- Opened with a one-time code, and the password was not changed since (D16).
  change_password boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX sessions_open_of_user ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_of_device ON sessions (device_id);
CREATE INDEX sessions_age ON sessions (token_expires_at);

-- The one outstanding code of an address or mobile number (D16): a later one takes the place of an earlier one. One
-- that no account has gets a row as well, without a user: answers take the same time then.
CREATE TABLE login_codes (
  key text PRIMARY KEY,
  user_id integer REFERENCES users,
  code_hash text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
CREATE INDEX login_codes_of_user ON login_codes (user_id);
CREATE INDEX login_codes_age ON login_codes (expires_at);

-- How often something was tried with an account since the window began. The key holds a hash: what people
-- type where an address belongs may be a password.
CREATE TABLE attempts (
  key text PRIMARY KEY,
  count integer NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX attempts_age ON attempts (expires_at);
