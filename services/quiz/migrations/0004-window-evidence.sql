-- When students began, as far as we know it ourselves.

-- The first opening of a quiz's question PDF by a student's own link. It is written once and never changed.
CREATE TABLE quiz_starts (
  quiz_id integer NOT NULL REFERENCES quizzes,
  student_id integer NOT NULL,
  started_at timestamptz NOT NULL,
  CONSTRAINT quiz_starts_one_per_student PRIMARY KEY (quiz_id, student_id)
);

-- What was known when the answer sheet came, beside start_at, which is what the student said.
ALTER TABLE submissions
  ADD COLUMN recorded_start_at timestamptz,
  ADD COLUMN flags text[] NOT NULL DEFAULT '{}';

-- A sheet that was replaced keeps what was said and known of it.
ALTER TABLE replaced_sheets
  ADD COLUMN start_at timestamptz,
  ADD COLUMN duration_minutes numeric(12, 6),
  ADD COLUMN recorded_start_at timestamptz,
  ADD COLUMN flags text[] NOT NULL DEFAULT '{}';

-- The export of a course goes through its submissions in this order.
CREATE INDEX submissions_of_course ON submissions (course_id, quiz_id, student_id);
