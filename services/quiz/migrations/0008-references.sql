-- Indexes for statements whose cost grew with the size of the table (docs/decisions/0044-partitions.md). IF NOT EXISTS:
-- a large installation creates them CONCURRENTLY before this migration, which locks the tables against writes.

-- Foreign keys to files: deleting a file checks these tables for remaining references.
CREATE INDEX IF NOT EXISTS submissions_of_file ON submissions (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS replaced_sheets_of_file ON replaced_sheets (file_id);
CREATE INDEX IF NOT EXISTS quizzes_of_file ON quizzes (questions_file_id) WHERE questions_file_id IS NOT NULL;

-- Retention finds files replaced before a given time.
CREATE INDEX IF NOT EXISTS replaced_sheets_age ON replaced_sheets (replaced_at);

-- Personal data of a student and of a grader.
CREATE INDEX IF NOT EXISTS quiz_starts_of_student ON quiz_starts (student_id, quiz_id);
CREATE INDEX IF NOT EXISTS gradings_of_grader ON gradings (graded_by, id);
