-- Grading question by question (shared/src/questions). An item is a quiz or the assignment of a class.

-- The outline of an item: its revision and its questions.
CREATE TABLE outlines (
  item_id integer PRIMARY KEY,
  -- Increments with each change.
  revision integer NOT NULL DEFAULT 0
);

CREATE TABLE questions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  item_id integer NOT NULL REFERENCES outlines,
  place integer NOT NULL,
  label text NOT NULL,
  title text,
  max_points numeric(10, 4) NOT NULL CHECK (max_points > 0),
  -- Where the question is on the question PDF (Question in question.ts).
  region jsonb
);
CREATE INDEX questions_of_item ON questions (item_id, place);

/*
 * The rubrics of questions have the columns of `rubrics` and `rubric_items`, in tables of their own: replicas of an earlier version
 * expect at most one rubric for an item there. A deleted rubric keeps its row, so that no revision is ever used twice.
 */
CREATE TABLE question_rubrics (
  question_id integer PRIMARY KEY REFERENCES questions ON DELETE CASCADE,
  revision integer NOT NULL DEFAULT 0,
  is_deleted boolean NOT NULL DEFAULT true,
  mode text NOT NULL DEFAULT 'add' CHECK (mode IN ('add', 'subtract')),
  max_points numeric(10, 4) NOT NULL DEFAULT 0,
  min_points numeric(10, 4) NOT NULL DEFAULT 0
);

CREATE TABLE question_rubric_items (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  question_id integer NOT NULL REFERENCES question_rubrics ON DELETE CASCADE,
  place integer NOT NULL,
  points numeric(11, 4) NOT NULL,
  text text NOT NULL,
  explanation text,
  group_name text,
  key text,
  -- The number of answers that have it selected, kept by a trigger.
  uses integer NOT NULL DEFAULT 0
);
CREATE INDEX question_rubric_items_of_rubric ON question_rubric_items (question_id, place);

-- Answers that deserve the same grading.
CREATE TABLE answer_groups (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  question_id integer NOT NULL REFERENCES questions ON DELETE CASCADE,
  title text NOT NULL
);
CREATE INDEX answer_groups_of_question ON answer_groups (question_id, id);

-- The answer of each submission to each question of its item. Triggers add them with the submission.
CREATE TABLE answers (
  submission_id integer NOT NULL REFERENCES submissions ON DELETE CASCADE,
  question_id integer NOT NULL REFERENCES questions ON DELETE CASCADE,
  -- Those of the submission, for the order of the queue of a question.
  submitted_at timestamptz NOT NULL,
  code text NOT NULL,
  -- Whether a grader has to grade it: it has no points, and its submission is not graded as a whole.
  is_waiting boolean NOT NULL,
  -- Null until it is graded.
  points numeric(10, 4),
  comment text,
  -- The items of the question's rubric that the grader selected, and the points added to them.
  selection integer[] NOT NULL DEFAULT '{}',
  adjustment numeric(11, 4) NOT NULL DEFAULT 0,
  -- Null for points without a rubric.
  rubric_revision integer,
  graded_by integer,
  graded_at timestamptz,
  -- Increments with each change of the points, the comment or the files.
  revision integer NOT NULL DEFAULT 0,
  group_id integer REFERENCES answer_groups ON DELETE SET NULL,
  -- Where the answer is in the files (AnswerPage in answer.ts).
  pages jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (submission_id, question_id),
  CONSTRAINT answers_graded_whole CHECK (
    (points IS NULL) = (graded_by IS NULL) AND (points IS NULL) = (graded_at IS NULL)
    AND (points IS NOT NULL OR comment IS NULL AND selection = '{}' AND adjustment = 0 AND rubric_revision IS NULL)
    AND NOT (is_waiting AND points IS NOT NULL))
);
-- Serve the queue of a question in both orders, with all, waiting or graded answers.
CREATE INDEX answers_waiting ON answers (question_id, submitted_at, submission_id) WHERE is_waiting;
CREATE INDEX answers_waiting_shuffled ON answers (question_id, code, submission_id) WHERE is_waiting;
CREATE INDEX answers_in_order ON answers (question_id, submitted_at, submission_id);
CREATE INDEX answers_shuffled ON answers (question_id, code, submission_id);
CREATE INDEX answers_graded ON answers (question_id, submitted_at, submission_id) WHERE points IS NOT NULL;
CREATE INDEX answers_graded_shuffled ON answers (question_id, code, submission_id) WHERE points IS NOT NULL;
CREATE INDEX answers_of_group ON answers (group_id, submission_id) WHERE group_id IS NOT NULL;

-- The gradings of answers. They outlive their question.
CREATE TABLE answer_gradings (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  submission_id integer NOT NULL REFERENCES submissions ON DELETE CASCADE,
  question_id integer NOT NULL,
  -- Null if the answer became ungraded.
  points numeric(10, 4),
  max_points numeric(10, 4) NOT NULL,
  comment text,
  selection integer[] NOT NULL DEFAULT '{}',
  adjustment numeric(11, 4) NOT NULL DEFAULT 0,
  rubric_revision integer,
  reason text NOT NULL CHECK (reason IN ('graded', 'rubric', 'review', 'removed')),
  graded_by integer NOT NULL,
  graded_at timestamptz NOT NULL
);
CREATE INDEX answer_gradings_of_answer ON answer_gradings (submission_id, question_id, id DESC);
CREATE INDEX answer_gradings_of_grader ON answer_gradings (graded_by, id);

-- Records who is working on an answer, and until when.
CREATE TABLE answer_claims (
  submission_id integer NOT NULL,
  question_id integer NOT NULL REFERENCES questions ON DELETE CASCADE,
  item_id integer NOT NULL,
  user_id integer NOT NULL,
  claimed_until timestamptz NOT NULL,
  PRIMARY KEY (submission_id, question_id)
);
CREATE INDEX answer_claims_of_question ON answer_claims (question_id, user_id);
CREATE INDEX answer_claims_of_grader ON answer_claims (user_id);

-- The number of graded answers to a question with these points from this grader. Triggers maintain it, so that the progress and
-- statistics of a question cost the same for any number of submissions.
CREATE TABLE answer_totals (
  question_id integer NOT NULL,
  graded_by integer NOT NULL,
  points numeric(10, 4) NOT NULL,
  answers integer NOT NULL,
  PRIMARY KEY (question_id, graded_by, points)
);

-- Students' requests to have a grading reviewed.
CREATE TABLE reviews (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  submission_id integer NOT NULL REFERENCES submissions ON DELETE CASCADE,
  item_id integer NOT NULL,
  -- Null for the whole submission.
  question_id integer,
  text text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  -- The student, or a grader for the student.
  opened_by integer NOT NULL,
  is_by_student boolean NOT NULL,
  answer text,
  answered_by integer,
  grade_before numeric(10, 4),
  grade_after numeric(10, 4),
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  claimed_by integer,
  claimed_until timestamptz
);
CREATE INDEX reviews_of_submission ON reviews (submission_id, id);
CREATE UNIQUE INDEX reviews_open_once ON reviews (submission_id, coalesce(question_id, 0)) WHERE state = 'open';
CREATE INDEX reviews_open ON reviews (item_id, created_at, id) WHERE state = 'open';
CREATE INDEX reviews_of_item ON reviews (item_id, created_at, id);
CREATE INDEX reviews_claimed ON reviews (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX reviews_answered ON reviews (answered_by, id) WHERE answered_by IS NOT NULL;

-- See count_rubric_uses.
CREATE FUNCTION count_question_rubric_uses() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  before integer[] := OLD.selection;
  after integer[] := CASE WHEN TG_OP = 'UPDATE' THEN NEW.selection ELSE '{}' END;
BEGIN
  WITH selected AS (
    SELECT id FROM question_rubric_items
    WHERE id = ANY (before || after) AND (id = ANY (before)) <> (id = ANY (after))
    ORDER BY id FOR NO KEY UPDATE)
  UPDATE question_rubric_items r SET uses = r.uses + CASE WHEN r.id = ANY (after) THEN 1 ELSE -1 END
  FROM selected WHERE r.id = selected.id;
  RETURN NULL;
END $$;
CREATE TRIGGER selected_items_count AFTER UPDATE ON answers
  FOR EACH ROW WHEN (OLD.selection <> NEW.selection) EXECUTE FUNCTION count_question_rubric_uses();
CREATE TRIGGER deleted_selection_counts AFTER DELETE ON answers
  FOR EACH ROW WHEN (OLD.selection <> '{}') EXECUTE FUNCTION count_question_rubric_uses();

-- For each statement rather than each row, because a change of a rubric changes thousands of answers with the same points.
CREATE FUNCTION add_to_answer_totals() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO answer_totals AS t
    SELECT question_id, graded_by, points, sum(n) FROM (
      SELECT question_id, graded_by, points, -1 AS n FROM before WHERE points IS NOT NULL
      UNION ALL SELECT question_id, graded_by, points, 1 FROM after WHERE points IS NOT NULL) AS changed
    GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (question_id, graded_by, points) DO UPDATE SET answers = t.answers + excluded.answers;
  ELSE
    INSERT INTO answer_totals AS t
    SELECT question_id, graded_by, points, -count(*) FROM before WHERE points IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (question_id, graded_by, points) DO UPDATE SET answers = t.answers + excluded.answers;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER changed_answers_count AFTER UPDATE ON answers
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION add_to_answer_totals();
CREATE TRIGGER deleted_answers_count AFTER DELETE ON answers
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION add_to_answer_totals();

/*
 * The lock under which the outline of an item changes, shared by new submissions: each submission gets an answer to every
 * question, because either the change sees the submission, or the submission sees the change.
 */
CREATE FUNCTION lock_outline_shared(item integer) RETURNS void LANGUAGE sql
AS $$ SELECT pg_advisory_xact_lock_shared(hashtext('outline'), item) $$;
CREATE FUNCTION lock_outline(item integer) RETURNS void LANGUAGE sql
AS $$ SELECT pg_advisory_xact_lock(hashtext('outline'), item) $$;

-- New files reset every answer of a submission to ungraded, through whichever endpoint they arrive.
CREATE FUNCTION reset_answers() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO answer_gradings (submission_id, question_id, max_points, reason, graded_by, graded_at)
  SELECT a.submission_id, a.question_id, q.max_points, 'removed', coalesce(NEW.submitted_by, NEW.student_id), now()
  FROM answers a JOIN questions q ON q.id = a.question_id
  WHERE a.submission_id = NEW.id AND a.points IS NOT NULL ORDER BY q.place;
  UPDATE answers
  SET submitted_at = NEW.submitted_at, is_waiting = true, points = NULL, comment = NULL, selection = '{}', adjustment = 0,
    rubric_revision = NULL, graded_by = NULL, graded_at = NULL, revision = revision + 1, group_id = NULL,
    pages = '[]'
  WHERE submission_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER replaced_files_reset_answers AFTER UPDATE OF submitted_at ON submissions
  FOR EACH ROW EXECUTE FUNCTION reset_answers();
