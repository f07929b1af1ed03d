-- Events waiting to be published, and events sent in the last seven days (shared/src/events/outboxRelay.ts).

CREATE TABLE outbox (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id uuid NOT NULL UNIQUE,
  type text NOT NULL,
  body jsonb NOT NULL,
  traceparent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  claimed_until timestamptz,
  sent_at timestamptz
);
CREATE INDEX outbox_waiting ON outbox (position) WHERE sent_at IS NULL;
CREATE INDEX outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL;
