-- All sessions of an account, for its personal data and its erasure (docs/decisions/0044-partitions.md). It replaces an index
-- of the open ones, so that a login writes as many as before.

CREATE INDEX IF NOT EXISTS sessions_of_user ON sessions (user_id, id);
DROP INDEX sessions_open_of_user;
