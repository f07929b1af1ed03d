-- Grading by a team: rubrics, selections, claims, annotations (shared/src/grading).

\ir ../../../shared/migrations/grading-1.sql

ALTER TABLE submissions
  -- The rubric items selected by the grader, and the adjustment added to their points.
  ADD COLUMN selection integer[] NOT NULL DEFAULT '{}',
  ADD COLUMN adjustment numeric(11, 4) NOT NULL DEFAULT 0,
  -- Null for a grade without a rubric.
  ADD COLUMN rubric_revision integer;
ALTER TABLE submissions ADD CONSTRAINT submissions_graded_by_rubric CHECK (
  rubric_revision IS NOT NULL AND rating IS NOT NULL
  OR rubric_revision IS NULL AND selection = '{}' AND adjustment = 0) NOT VALID;

ALTER TABLE gradings
  ADD COLUMN selection integer[] NOT NULL DEFAULT '{}',
  ADD COLUMN adjustment numeric(11, 4) NOT NULL DEFAULT 0,
  ADD COLUMN rubric_revision integer,
  ADD COLUMN reason text NOT NULL DEFAULT 'graded' CHECK (reason IN ('graded', 'rubric'));

-- The queue: ungraded and graded submissions. Regrading by the same grader writes no new index entries.
CREATE INDEX IF NOT EXISTS submissions_ungraded ON submissions (class_id, submitted_at, id) WHERE graded_by IS NULL;
CREATE INDEX IF NOT EXISTS submissions_graded ON submissions (class_id, submitted_at, id) WHERE graded_by IS NOT NULL;

CREATE FUNCTION count_added_submissions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_grading_totals(class_id, count(*), count(rating)) FROM added GROUP BY class_id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_deleted_submissions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_grading_totals(class_id, -count(*), -count(rating)) FROM deleted GROUP BY class_id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_graded_submission() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_grading_totals(NEW.class_id, 0, CASE WHEN NEW.rating IS NULL THEN -1 ELSE 1 END);
  RETURN NULL;
END $$;
CREATE TRIGGER added_submissions_count AFTER INSERT ON submissions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_submissions();
CREATE TRIGGER deleted_submissions_count AFTER DELETE ON submissions
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_submissions();
CREATE TRIGGER graded_submission_counts AFTER UPDATE ON submissions
  FOR EACH ROW WHEN ((OLD.rating IS NULL) <> (NEW.rating IS NULL)) EXECUTE FUNCTION count_graded_submission();
CREATE TRIGGER selected_items_count AFTER UPDATE ON submissions
  FOR EACH ROW WHEN (OLD.selection <> NEW.selection) EXECUTE FUNCTION count_rubric_uses();
CREATE TRIGGER deleted_selection_counts AFTER DELETE ON submissions
  FOR EACH ROW WHEN (OLD.selection <> '{}') EXECUTE FUNCTION count_rubric_uses();

-- Creating the triggers blocks writers until this transaction ends.
SELECT add_to_grading_totals(class_id, count(*), count(rating)) FROM submissions GROUP BY class_id;
