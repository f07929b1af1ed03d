-- All sessions of an account, for its personal data and its erasure (docs/decisions/0044-partitions.md). It replaces an
-- index of open sessions, so a login writes to as many indexes as before.

CREATE INDEX IF NOT EXISTS sessions_of_user ON sessions (user_id, id);
DROP INDEX sessions_open_of_user;
