-- Service accounts, and the tokens issued for programs: service account tokens and personal tokens.

CREATE TABLE service_accounts (
  -- Taken from the sequence of accounts, so that an id never means both a person and a service account.
  id integer PRIMARY KEY DEFAULT nextval(pg_get_serial_sequence('users', 'id')),
  name text NOT NULL,
  scopes text[] NOT NULL,
  -- The only courses that its tokens give access to; null for no limit.
  course_ids integer[],
  is_disabled boolean NOT NULL DEFAULT false,
  created_by integer NOT NULL,
  -- Incremented by each change that an event publishes.
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The row and its name remain: gradings and the audit log refer to them.
  deleted_at timestamptz
);

-- Tokens that are valid or have expired recently. A token that was ended is deleted and added to `revocations`.
CREATE TABLE api_tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- `jti`. Neither the token nor a hash of it is stored.
  token_id uuid NOT NULL UNIQUE,
  user_id integer REFERENCES users,
  service_account_id integer REFERENCES service_accounts,
  name text NOT NULL,
  scopes text[] NOT NULL,
  -- `kid` of the key that signed it, which must stay published until the token expires.
  key_id text NOT NULL REFERENCES signing_keys,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  CONSTRAINT api_tokens_one_owner CHECK (num_nonnulls(user_id, service_account_id) = 1)
);
CREATE INDEX api_tokens_of_user ON api_tokens (user_id);
CREATE INDEX api_tokens_of_service_account ON api_tokens (service_account_id);
CREATE INDEX api_tokens_of_key ON api_tokens (key_id, expires_at);
CREATE INDEX api_tokens_age ON api_tokens (expires_at);

-- Personal tokens end when the account is blocked or deleted or its role changes. The cause may be an administrator, an
-- import, an erasure, or a replica of the previous version, which does not know these tokens.
CREATE FUNCTION end_personal_tokens() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  WITH ended AS (DELETE FROM api_tokens WHERE user_id = NEW.id RETURNING token_id, expires_at)
  INSERT INTO revocations (token_id, expires_at)
  SELECT token_id, expires_at + interval '5 minutes' FROM ended WHERE expires_at > now();
  RETURN NULL;
END
$$;
CREATE TRIGGER personal_tokens_end AFTER UPDATE OF role, is_blocked, deleted_at ON users
  FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR NEW.is_blocked AND NOT OLD.is_blocked
    OR NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL)
  EXECUTE FUNCTION end_personal_tokens();
