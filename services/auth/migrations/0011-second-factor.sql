-- Second factors (RFC 6238), their recovery codes, and the time a session last re-authenticated.

CREATE TABLE totp_factors (
  user_id integer PRIMARY KEY REFERENCES users,
  -- Encrypted (src/tokens/totpSecretCipher.ts).
  encrypted_secret bytea NOT NULL,
  -- Logins require the factor from this time; null until the user has entered a first code.
  confirmed_at timestamptz,
  -- The time step of the latest accepted code. A code of this step or an earlier one is rejected, so each code works
  -- once.
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The unused recovery codes of a confirmed factor.
CREATE TABLE recovery_codes (
  user_id integer NOT NULL REFERENCES totp_factors ON DELETE CASCADE,
  code_hash text NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

ALTER TABLE sessions ADD COLUMN reauthenticated_at timestamptz;
