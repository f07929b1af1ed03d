-- Calendars that people subscribe to, and the time from which students see a scheduled assignment.

-- Also null for items that were published before this column was added.
ALTER TABLE gradebook_items ADD COLUMN opens_at timestamptz;

-- One calendar per person. Only a hash of the token in its URL is stored.
CREATE TABLE calendars (
  owner_id integer PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The events of a calendar as they were last sent, so that SEQUENCE and LAST-MODIFIED change only if the event does.
-- The revision of an item also changes with settings that calendars do not show.
CREATE TABLE calendar_events (
  owner_id integer NOT NULL REFERENCES calendars ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('homework', 'quiz')),
  item_id integer NOT NULL,
  uid uuid NOT NULL DEFAULT gen_random_uuid(),
  -- A hash of the event's content.
  digest bytea NOT NULL,
  sequence integer NOT NULL DEFAULT 0,
  last_modified timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_id, kind, item_id)
);
