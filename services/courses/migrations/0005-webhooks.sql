-- Programs outside that are told of events (src/webhooks), and what is to be delivered to them.

CREATE TABLE webhook_subscriptions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  url text NOT NULL,
  description text,
  -- Of the catalog; `*` stands for all of them.
  event_types text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- Why we switched it off; null when nobody did, or an administrator.
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
  -- Encrypted (shared/src/crypto/encryptedSecret.ts). The one before signs as well until its time is over.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  -- Nothing is sent before: the receiver asked for it (Retry-After).
  paused_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Its deliveries are removed bit by bit, then the row itself.
  deleted_at timestamptz
);
CREATE INDEX webhook_subscriptions_newest ON webhook_subscriptions (created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription_id integer NOT NULL REFERENCES webhook_subscriptions,
  event_id text NOT NULL,
  event_type text NOT NULL,
  -- As it is sent and signed, to the byte.
  body text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  last_status integer,
  last_error text,
  -- Null when it is not pending.
  next_attempt_at timestamptz DEFAULT now(),
  -- While an attempt is under way; how many there were tells the present one from one that was given up.
  claimed_until timestamptz,
  claims integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  delivered_at timestamptz,
  -- What makes an event that the broker repeats a single delivery.
  CONSTRAINT webhook_deliveries_once UNIQUE (subscription_id, event_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (subscription_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (subscription_id, claimed_until)
  WHERE claimed_until IS NOT NULL;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (subscription_id, id);
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (subscription_id, status, id);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
