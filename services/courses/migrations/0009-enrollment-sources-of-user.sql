-- Finds the rows of a person, for personal data and erasure. It also finds a person's rows in one course, for which the
-- order of the columns makes no difference (decision 62). A large installation creates it CONCURRENTLY before this
-- migration.
CREATE INDEX IF NOT EXISTS enrollment_sources_of_user ON enrollment_sources (user_id, course_id);
DROP INDEX enrollment_sources_enrollment;
