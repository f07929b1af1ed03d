-- The keys that sign access tokens, and revoked sessions and tokens.

CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  -- Encrypted (src/tokens/encryptedPrivateKey.ts); null once the key no longer signs.
  sealed_private_key bytea,
  -- The key is published immediately but signs only from this time, when every verifier has fetched it.
  signs_from timestamptz NOT NULL,
  -- Set once no token that it signed can be refreshed: no longer published, kept to verify receipts.
  spent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Sessions that ended, and single tokens that were exchanged for newer ones (proto/gradeway/auth/v1/auth.proto).
CREATE TABLE revocations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id integer,
  token_id uuid,
  -- The time of the insert, not of the transaction's start; in milliseconds, like the cursors.
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT revocations_of_one CHECK (num_nonnulls(session_id, token_id) = 1)
);
CREATE INDEX revocations_in_order ON revocations (created_at, id);
CREATE INDEX revocations_age ON revocations (expires_at);
