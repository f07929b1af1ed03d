-- Rosters that teachers upload are imports of enrollments in one course.

-- The course of a roster; null for a OneRoster archive.
ALTER TABLE imports ADD COLUMN course_id integer;
