-- Files whose bytes are deleted but whose row is kept (D49). They are not served after reduced_at. bytes_deleted_at is set once
-- the bytes are gone.

ALTER TABLE files
  ADD COLUMN reduced_at timestamptz,
  ADD COLUMN bytes_deleted_at timestamptz;
CREATE INDEX files_to_reduce ON files (id) WHERE reduced_at IS NOT NULL AND bytes_deleted_at IS NULL;
