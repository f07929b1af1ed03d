-- The instructors of courses and the comment bank of graders (src/teaching), and the teacher enrollments of imports.

/*
 * The row outlives the assignment, so that its revision never decreases when the same person is assigned again.
 * account_revision is the revision at which auth named the account an instructor's, or planned to make it one: a late event
 * about an older state of the account does not end the assignment.
 */
CREATE TABLE instructors (
  course_id integer NOT NULL REFERENCES courses,
  user_id integer NOT NULL,
  is_assigned boolean NOT NULL DEFAULT true,
  account_revision integer NOT NULL,
  -- Increments with each published change.
  revision integer NOT NULL DEFAULT 1,
  PRIMARY KEY (course_id, user_id)
);
CREATE INDEX instructors_of_user ON instructors (user_id, course_id);

-- Texts that a grader reuses. Nobody else reads them.
CREATE TABLE grading_comments (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id integer NOT NULL,
  text text NOT NULL,
  -- Null for a text for all courses.
  course_id integer REFERENCES courses,
  uses integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX grading_comments_of_owner ON grading_comments (owner_id, uses DESC, id DESC);

-- The order of a grader's list of courses, which contains every course for an administrator. IF NOT EXISTS, here and
-- below: a large installation creates the indexes CONCURRENTLY before this migration, which locks the tables against
-- writes.
CREATE INDEX IF NOT EXISTS courses_by_title ON courses (title COLLATE "und-x-icu", id) WHERE deleted_at IS NULL;
-- The number of paid enrollments, which that list shows.
CREATE INDEX IF NOT EXISTS roster_paid ON roster (course_id) WHERE is_enrolled AND paid;

/*
 * OneRoster's enrollments of teachers. Planning turns their rows of enrollments.csv into rows of the file `instructors`, which
 * the previous version neither enrolls nor counts.
 */
ALTER TABLE import_rows DROP CONSTRAINT import_rows_file_check;
ALTER TABLE import_rows ADD CONSTRAINT import_rows_file_check
  CHECK (file IN ('users', 'courses', 'classes', 'enrollments', 'instructors', 'known'));
CREATE INDEX IF NOT EXISTS import_rows_instructor ON import_rows (import_id, user_id) WHERE file = 'instructors';
-- Whether the sourcedId identifies an instructor's assignment to the course.
ALTER TABLE enrollment_sources ADD COLUMN is_teaching boolean NOT NULL DEFAULT false;
