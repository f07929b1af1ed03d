-- Webhook subscriptions and deliveries (src/webhooks).

CREATE TABLE webhook_subscriptions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  url text NOT NULL,
  description text,
  -- Types of the event catalog, or `*` for all.
  event_types text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- Why it was disabled automatically; null if it was not.
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
  -- Encrypted (shared/src/crypto/encryptedSecret.ts). The previous secret signs as well until it expires.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  -- Until then no messages are sent, as requested by the receiver (Retry-After).
  paused_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The purge deletes the deliveries in batches, and then the row.
  deleted_at timestamptz
);
CREATE INDEX webhook_subscriptions_newest ON webhook_subscriptions (created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription_id integer NOT NULL REFERENCES webhook_subscriptions,
  event_id text NOT NULL,
  event_type text NOT NULL,
  -- Sent and signed byte for byte.
  body text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  last_status integer,
  last_error text,
  -- Null unless the delivery is pending.
  next_attempt_at timestamptz DEFAULT now(),
  -- The end of the current claim, and the number of claims, which distinguishes the current one from expired ones.
  claimed_until timestamptz,
  claims integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  delivered_at timestamptz,
  -- Makes the delivery of a redelivered event idempotent.
  CONSTRAINT webhook_deliveries_once UNIQUE (subscription_id, event_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (subscription_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (subscription_id, claimed_until)
  WHERE claimed_until IS NOT NULL;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (subscription_id, id);
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (subscription_id, status, id);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
