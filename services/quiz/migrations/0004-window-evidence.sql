-- The server's own evidence of when students started their attempts.

-- The first time a student opened a quiz's question PDF through their personal link. Written once, never changed.
CREATE TABLE quiz_starts (
  quiz_id integer NOT NULL REFERENCES quizzes,
  student_id integer NOT NULL,
  started_at timestamptz NOT NULL,
  CONSTRAINT quiz_starts_one_per_student PRIMARY KEY (quiz_id, student_id)
);

-- The server's evidence at the time of the upload; start_at is the student's claim.
ALTER TABLE submissions
  ADD COLUMN recorded_start_at timestamptz,
  ADD COLUMN flags text[] NOT NULL DEFAULT '{}';

-- A replaced sheet keeps the student's claim and the evidence.
ALTER TABLE replaced_sheets
  ADD COLUMN start_at timestamptz,
  ADD COLUMN duration_minutes numeric(12, 6),
  ADD COLUMN recorded_start_at timestamptz,
  ADD COLUMN flags text[] NOT NULL DEFAULT '{}';

-- The export of a course reads its submissions in this order.
CREATE INDEX submissions_of_course ON submissions (course_id, quiz_id, student_id);
