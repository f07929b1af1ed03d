-- Replaced files beyond REPLACED_FILES_KEPT lose their bytes.

\ir ../../../shared/migrations/files-2.sql

-- An upload looks up the replaced files of its submission.
CREATE INDEX submission_files_replaced ON submission_files (submission_id, submitted_at) WHERE replaced_at IS NOT NULL;
