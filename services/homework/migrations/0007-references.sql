-- Indexes for statements whose cost grew with the size of the table (docs/decisions/0044-partitions.md). IF NOT EXISTS:
-- a large installation creates them CONCURRENTLY before this migration, which locks the tables against writes.

-- Foreign keys: deleting a file or a submission checks these tables for remaining references. The other indexes
-- of submission_files contain only the replaced files or only the current ones.
CREATE INDEX IF NOT EXISTS submission_files_of_submission ON submission_files (submission_id, file_id);
CREATE INDEX IF NOT EXISTS assignments_of_file ON assignments (file_id) WHERE file_id IS NOT NULL;

-- Retention finds files replaced before a given time.
CREATE INDEX IF NOT EXISTS submission_files_age ON submission_files (replaced_at) WHERE replaced_at IS NOT NULL;

-- Personal data of a grader.
CREATE INDEX IF NOT EXISTS gradings_of_grader ON gradings (graded_by, id);
