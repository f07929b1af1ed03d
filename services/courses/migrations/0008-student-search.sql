-- Only the columns that a search among the students of a course reads: half as wide as roster_students, which also has
-- the sort columns. A large installation creates it CONCURRENTLY before this migration, which locks the table against
-- writes.
CREATE INDEX IF NOT EXISTS roster_search ON roster (course_id) INCLUDE (user_id, search_text) WHERE is_enrolled;
