-- Courses with submissions here that courses no longer has, since when it was noticed (shared/src/retention).

CREATE TABLE finished_courses (
  course_id integer PRIMARY KEY,
  finished_at timestamptz NOT NULL DEFAULT now()
);
