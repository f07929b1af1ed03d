-- Quizzes, their submissions and gradings, and the projection of accounts used by lists.

\ir ../../../shared/migrations/files-1.sql

CREATE TABLE quizzes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  course_id integer NOT NULL,
  title text NOT NULL,
  questions_count integer,
  total_grade numeric(10, 4),
  opens_at timestamptz,
  closes_at timestamptz,
  duration_minutes numeric(10, 4),
  questions_file_id integer REFERENCES files,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX quizzes_newest ON quizzes (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX quizzes_of_course ON quizzes (course_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- The number of listed quizzes, updated in the transaction that changes it; counting them would take longer than
-- reading a page.
CREATE TABLE quiz_total (total integer NOT NULL);
INSERT INTO quiz_total VALUES (0);

CREATE TABLE submissions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  quiz_id integer NOT NULL REFERENCES quizzes,
  course_id integer NOT NULL,
  class_id integer,
  student_id integer NOT NULL,
  file_id integer REFERENCES files,
  start_at timestamptz NOT NULL,
  duration_minutes numeric(12, 6) NOT NULL,
  submitted_at timestamptz NOT NULL,
  grade numeric(10, 4),
  total_grade numeric(10, 4),
  graded_by integer,
  graded_at timestamptz,
  -- Incremented by each grading that changes the grade.
  revision integer NOT NULL DEFAULT 0,
  CONSTRAINT submissions_one_per_student UNIQUE (quiz_id, student_id),
  CONSTRAINT submissions_graded_whole CHECK ((grade IS NULL) = (total_grade IS NULL))
);
CREATE INDEX submissions_in_order ON submissions (quiz_id, submitted_at, id);
CREATE INDEX submissions_of_student ON submissions (student_id, submitted_at DESC, id DESC);

-- Answer sheets replaced by a later upload (D27).
CREATE TABLE replaced_sheets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  submission_id integer NOT NULL REFERENCES submissions,
  file_id integer NOT NULL REFERENCES files,
  submitted_at timestamptz NOT NULL,
  replaced_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX replaced_sheets_of_submission ON replaced_sheets (submission_id);

CREATE TABLE gradings (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  submission_id integer NOT NULL REFERENCES submissions,
  grade numeric(10, 4) NOT NULL,
  total_grade numeric(10, 4) NOT NULL,
  graded_by integer NOT NULL,
  graded_at timestamptz NOT NULL
);
CREATE INDEX gradings_of_submission ON gradings (submission_id, id DESC);

\ir ../../../shared/migrations/people-1.sql
