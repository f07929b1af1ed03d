-- Grading question by question: outlines, answers, groups, reviews.

\ir ../../../shared/migrations/questions-1.sql

-- When and how often students may ask for a review (Reviews in shared/src/items/item.ts); null if they may not.
ALTER TABLE assignments ADD COLUMN reviews jsonb;

ALTER TABLE gradings
  DROP CONSTRAINT gradings_reason_check,
  ADD CONSTRAINT gradings_reason_check
    CHECK (reason IN ('graded', 'rubric', 'ungraded', 'questions', 'review')) NOT VALID;

CREATE FUNCTION add_answers() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM lock_outline_shared(item) FROM (SELECT DISTINCT class_id AS item FROM added ORDER BY class_id) AS items;
  INSERT INTO answers (submission_id, question_id, submitted_at, code, is_waiting)
  SELECT a.id, q.id, a.submitted_at, a.code, a.graded_by IS NULL FROM added a JOIN questions q ON q.item_id = a.class_id;
  RETURN NULL;
END $$;
CREATE TRIGGER added_submissions_answers AFTER INSERT ON submissions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_answers();
