-- Requests to erase a person. Each is a durable job that is repeated until every service has confirmed.

CREATE TABLE erasures (
  user_id integer PRIMARY KEY REFERENCES users,
  keeps_grades boolean NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'done')),
  requested_by integer NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  -- Used to find records that lack the account's id; null once the erasure is done.
  email text,
  sourced_id text,
  -- The services that no longer store data about the person.
  confirmed text[] NOT NULL DEFAULT '{}',
  -- The lease of the process that is working on it. It expires when that process dies.
  claimed_by uuid,
  claimed_until timestamptz,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT erasures_done_whole CHECK ((status = 'done') = (completed_at IS NOT NULL)),
  CONSTRAINT erasures_done_anonymous CHECK (status = 'pending' OR num_nonnulls(email, sourced_id) = 0)
);
CREATE INDEX erasures_pending ON erasures (next_attempt_at) WHERE status = 'pending';
