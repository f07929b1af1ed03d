-- Accounts, their devices, sessions and one-time codes.

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text,
  -- In international format, without spaces or dashes (D8).
  mobile text,
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('user', 'instructor', 'parent', 'admin')),
  is_approved boolean NOT NULL,
  is_blocked boolean NOT NULL DEFAULT false,
  is_verified boolean NOT NULL,
  is_verified_mobile boolean NOT NULL,
  -- The last known count from courses (D14). Changes without a new revision.
  cart_items integer NOT NULL DEFAULT 0,
  -- Incremented by each change that an event publishes.
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A deleted account remains as an empty row, so that its id is not reused and its revision continues.
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
  -- Set for a browser that sent no token; later logins recognize it by this (D9).
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
  -- The only valid token of the session; earlier ones were exchanged for it (D12).
  token_id uuid NOT NULL,
  token_expires_at timestamptz NOT NULL,
  -- Opened with a one-time code, and the password has not been changed since (D16).
  change_password boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX sessions_open_of_user ON sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_of_device ON sessions (device_id);
CREATE INDEX sessions_age ON sessions (token_expires_at);

-- The one outstanding code of an email address or mobile number (D16); a new code replaces the earlier one. An
-- unknown address or number gets a row as well, without a user, so that requests take the same time.
CREATE TABLE login_codes (
  key text PRIMARY KEY,
  user_id integer REFERENCES users,
  code_hash text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
CREATE INDEX login_codes_of_user ON login_codes (user_id);
CREATE INDEX login_codes_age ON login_codes (expires_at);

-- The number of attempts for an account in the current window. The key contains a hash, because users type passwords
-- into the address field by mistake.
CREATE TABLE attempts (
  key text PRIMARY KEY,
  count integer NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX attempts_age ON attempts (expires_at);
