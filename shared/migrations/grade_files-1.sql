-- Grade files that passed a dry run and can be applied with their token (shared/src/grading/gradesFile).
CREATE TABLE grade_files (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  item_id integer NOT NULL,
  created_by integer NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The changes (FileChange in gradesFile.ts); empty once they have been applied.
  changes jsonb NOT NULL,
  changed integer NOT NULL,
  unchanged integer NOT NULL,
  applied_at timestamptz
);
CREATE INDEX grade_files_age ON grade_files (expires_at);
CREATE INDEX grade_files_of_item ON grade_files (item_id);
CREATE INDEX grade_files_of_person ON grade_files (created_by);
