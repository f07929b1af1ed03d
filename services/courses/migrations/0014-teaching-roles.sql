-- Teachers run a course, graders grade in it (src/teaching), and students may have longer attempts at quizzes.

-- The default applies to existing assignments and to those that a replica of the previous version makes.
ALTER TABLE instructors ADD COLUMN role text NOT NULL DEFAULT 'teacher' CHECK (role IN ('teacher', 'grader'));

CREATE TABLE accommodations (
  course_id integer NOT NULL REFERENCES courses,
  student_id integer NOT NULL,
  -- An attempt at a quiz of the course lasts this percentage of the quiz's duration.
  time_percent integer NOT NULL CHECK (time_percent BETWEEN 100 AND 400),
  note text,
  changed_by integer NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (course_id, student_id)
);
CREATE INDEX accommodations_of_student ON accommodations (student_id, course_id);

-- Counts the paid enrollments of a course, including within groups of users, without reading the table. A large
-- installation creates it CONCURRENTLY before this migration.
CREATE INDEX IF NOT EXISTS roster_paid_2 ON roster (course_id) INCLUDE (user_id) WHERE is_enrolled AND paid;
DROP INDEX roster_paid;
