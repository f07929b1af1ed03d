-- Grading question by question: outlines, answers, groups, reviews.

\ir ../../../shared/migrations/questions-1.sql

-- When and how often students may ask for a review (Reviews in shared/src/items/item.ts); null if they may not.
ALTER TABLE quizzes ADD COLUMN reviews jsonb;

ALTER TABLE gradings
  DROP CONSTRAINT gradings_reason_check,
  ADD CONSTRAINT gradings_reason_check
    CHECK (reason IN ('graded', 'rubric', 'ungraded', 'questions', 'review')) NOT VALID;

CREATE FUNCTION add_answers() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM lock_outline_shared(item) FROM (SELECT DISTINCT quiz_id AS item FROM added ORDER BY quiz_id) AS items;
  INSERT INTO answers (submission_id, question_id, submitted_at, code, is_waiting)
  SELECT a.id, q.id, a.submitted_at, a.code, a.graded_by IS NULL FROM added a JOIN questions q ON q.item_id = a.quiz_id;
  RETURN NULL;
END $$;
CREATE TRIGGER added_submissions_answers AFTER INSERT ON submissions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_answers();

CREATE FUNCTION count_grades() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM add_to_grade_totals(array_agg(item), array_agg(grade), array_agg(total), array_agg(grader), array_agg(sign))
    FROM (SELECT quiz_id AS item, grade AS grade, total_grade AS total, graded_by AS grader, -1 AS sign FROM before WHERE grade IS NOT NULL
      UNION ALL SELECT quiz_id AS item, grade AS grade, total_grade AS total, graded_by AS grader, 1 AS sign FROM after WHERE grade IS NOT NULL) AS changed
    HAVING count(*) > 0;
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM add_to_grade_totals(array_agg(item), array_agg(grade), array_agg(total), array_agg(grader), array_agg(sign))
    FROM (SELECT quiz_id AS item, grade AS grade, total_grade AS total, graded_by AS grader, 1 AS sign FROM after WHERE grade IS NOT NULL) AS changed
    HAVING count(*) > 0;
  ELSE
    PERFORM add_to_grade_totals(array_agg(item), array_agg(grade), array_agg(total), array_agg(grader), array_agg(sign))
    FROM (SELECT quiz_id AS item, grade AS grade, total_grade AS total, graded_by AS grader, -1 AS sign FROM before WHERE grade IS NOT NULL) AS changed
    HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER added_grades_count AFTER INSERT ON submissions
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_grades();
CREATE TRIGGER changed_grades_count AFTER UPDATE ON submissions
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_grades();
CREATE TRIGGER deleted_grades_count AFTER DELETE ON submissions
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_grades();

-- The triggers lock out writers until the end of this transaction.
INSERT INTO grade_totals
  SELECT quiz_id, grade, total_grade, 0, count(*) FROM submissions WHERE grade IS NOT NULL GROUP BY 1, 2, 3;
INSERT INTO grader_totals
  SELECT quiz_id, graded_by, 0, count(*) FROM submissions
  WHERE grade IS NOT NULL AND graded_by IS NOT NULL GROUP BY 1, 2;
