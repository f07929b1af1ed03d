-- Files whose bytes are deleted while their row stays (D49): from reduced_at they are not served, and once the bytes are
-- gone, bytes_deleted_at is set.

ALTER TABLE files
  ADD COLUMN reduced_at timestamptz,
  ADD COLUMN bytes_deleted_at timestamptz;
CREATE INDEX files_to_reduce ON files (id) WHERE reduced_at IS NOT NULL AND bytes_deleted_at IS NULL;
