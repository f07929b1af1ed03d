-- Courses that have submissions here but no longer exist in courses, and when this was first noticed (shared/src/retention).

CREATE TABLE finished_courses (
  course_id integer PRIMARY KEY,
  finished_at timestamptz NOT NULL DEFAULT now()
);
