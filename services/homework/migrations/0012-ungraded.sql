-- Undoing a grading adds a history entry without a grade.
ALTER TABLE gradings
  ALTER COLUMN rating DROP NOT NULL,
  DROP CONSTRAINT gradings_reason_check,
  ADD CONSTRAINT gradings_reason_check CHECK (reason IN ('graded', 'rubric', 'ungraded')) NOT VALID,
  ADD CONSTRAINT gradings_have_grade CHECK ((rating IS NULL) = (reason = 'ungraded')) NOT VALID;
