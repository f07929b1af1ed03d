-- Ids of the events that were applied in the last 30 days (shared/src/events/inbox.ts).

CREATE TABLE inbox (
  source text NOT NULL,
  event_id text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, event_id)
);
CREATE INDEX inbox_age ON inbox (received_at);
