-- What signs access tokens, and which of them no longer count.

CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  -- Encrypted (src/tokens/encryptedPrivateKey.ts); null once the key signs no more.
  sealed_private_key bytea,
  -- Published from the start, used from this moment on: by then every verifier has it.
  signs_from timestamptz NOT NULL,
  -- Set once no token that it signed is of use: published no more, kept for the receipts that it signed.
  spent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- A session that ended, or a single token that was exchanged for a newer one (proto/gradeway/auth/v1/auth.proto).
CREATE TABLE revocations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id integer,
  token_id uuid,
  -- The moment of the insert, not of the transaction's start; in milliseconds, as cursors are.
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT revocations_of_one CHECK (num_nonnulls(session_id, token_id) = 1)
);
CREATE INDEX revocations_in_order ON revocations (created_at, id);
CREATE INDEX revocations_age ON revocations (expires_at);
