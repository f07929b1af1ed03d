-- Indexes for statements whose work grew with the table (docs/decisions/0044-partitions.md). IF NOT EXISTS: a large
-- installation creates them CONCURRENTLY before this migration, which locks the tables against writes.

-- The foreign keys: each deleted file, and each deleted submission, looks here for what still refers to it. The other indexes
-- of submission_files have either the replaced files or the current ones.
CREATE INDEX IF NOT EXISTS submission_files_of_submission ON submission_files (submission_id, file_id);
CREATE INDEX IF NOT EXISTS assignments_of_file ON assignments (file_id) WHERE file_id IS NOT NULL;

-- Retention finds the files that were replaced before a time.
CREATE INDEX IF NOT EXISTS submission_files_age ON submission_files (replaced_at) WHERE replaced_at IS NOT NULL;

-- Personal data of a grader.
CREATE INDEX IF NOT EXISTS gradings_of_grader ON gradings (graded_by, id);
