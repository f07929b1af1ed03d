-- Grading by a team: rubrics, selections, claims, annotations, comments (shared/src/grading).

\ir ../../../shared/migrations/grading-1.sql

ALTER TABLE submissions
  ADD COLUMN comment text,
  -- The rubric items selected by the grader, and the adjustment added to their points.
  ADD COLUMN selection integer[] NOT NULL DEFAULT '{}',
  ADD COLUMN adjustment numeric(11, 4) NOT NULL DEFAULT 0,
  -- Null for a grade without a rubric.
  ADD COLUMN rubric_revision integer;
ALTER TABLE submissions ADD CONSTRAINT submissions_graded_by_rubric CHECK (
  rubric_revision IS NOT NULL AND grade IS NOT NULL
  OR rubric_revision IS NULL AND selection = '{}' AND adjustment = 0) NOT VALID;

ALTER TABLE gradings
  ADD COLUMN comment text,
  ADD COLUMN selection integer[] NOT NULL DEFAULT '{}',
  ADD COLUMN adjustment numeric(11, 4) NOT NULL DEFAULT 0,
  ADD COLUMN rubric_revision integer,
  ADD COLUMN reason text NOT NULL DEFAULT 'graded' CHECK (reason IN ('graded', 'rubric'));

-- The queue: ungraded and graded submissions. The total_grade of a graded submission rarely changes, so regrading it
-- writes no new index entries.
CREATE INDEX IF NOT EXISTS submissions_ungraded ON submissions (quiz_id, submitted_at, id) WHERE total_grade IS NULL;
CREATE INDEX IF NOT EXISTS submissions_graded ON submissions (quiz_id, submitted_at, id) WHERE total_grade IS NOT NULL;

CREATE FUNCTION count_added_submissions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_grading_totals(quiz_id, count(*), count(grade)) FROM added GROUP BY quiz_id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_deleted_submissions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_grading_totals(quiz_id, -count(*), -count(grade)) FROM deleted GROUP BY quiz_id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_graded_submission() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_grading_totals(NEW.quiz_id, 0, CASE WHEN NEW.grade IS NULL THEN -1 ELSE 1 END);
  RETURN NULL;
END $$;
CREATE TRIGGER added_submissions_count AFTER INSERT ON submissions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_submissions();
CREATE TRIGGER deleted_submissions_count AFTER DELETE ON submissions
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_submissions();
CREATE TRIGGER graded_submission_counts AFTER UPDATE ON submissions
  FOR EACH ROW WHEN ((OLD.grade IS NULL) <> (NEW.grade IS NULL)) EXECUTE FUNCTION count_graded_submission();
CREATE TRIGGER selected_items_count AFTER UPDATE ON submissions
  FOR EACH ROW WHEN (OLD.selection <> NEW.selection) EXECUTE FUNCTION count_rubric_uses();
CREATE TRIGGER deleted_selection_counts AFTER DELETE ON submissions
  FOR EACH ROW WHEN (OLD.selection <> '{}') EXECUTE FUNCTION count_rubric_uses();

-- Creating the triggers blocks writers until this transaction ends.
SELECT add_to_grading_totals(quiz_id, count(*), count(grade)) FROM submissions GROUP BY quiz_id;
