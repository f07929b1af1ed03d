-- Stored files: pending, then attached to a record, then removed (shared/src/files/fileLibrary.ts).

CREATE TABLE files (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL UNIQUE,
  name text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  crc32 bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attached_at timestamptz,
  removed_at timestamptz
);
CREATE INDEX files_leftover ON files (created_at) WHERE attached_at IS NULL OR removed_at IS NOT NULL;
