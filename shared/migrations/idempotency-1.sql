-- Results of requests that carried an Idempotency-Key, for 24 hours (shared/src/database/idempotencyStore.ts).

CREATE TABLE idempotency_keys (
  user_id integer NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  result jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
