-- The gradebook's projections of items, submissions and allowances, built only from events of quiz and homework. An
-- older revision never overwrites a newer one.

-- Quizzes and the assignments of classes (ItemState in shared/src/events/items.ts).
CREATE TABLE gradebook_items (
  kind text NOT NULL CHECK (kind IN ('homework', 'quiz')),
  -- The quiz id, or the class id of the assignment.
  item_id integer NOT NULL,
  course_id integer NOT NULL,
  title text NOT NULL,
  total_grade numeric(10, 4),
  created_at timestamptz NOT NULL,
  published boolean NOT NULL,
  closes_at timestamptz,
  -- LateRule in shared/src/items/item.ts; null if no late work is accepted.
  late jsonb,
  -- The time from which students see grades; null while they are held back.
  released_at timestamptz,
  anonymous boolean NOT NULL,
  is_deleted boolean NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (kind, item_id)
);
CREATE INDEX gradebook_items_of_course ON gradebook_items (course_id, created_at, kind, item_id);

CREATE TABLE gradebook_submissions (
  kind text NOT NULL CHECK (kind IN ('homework', 'quiz')),
  submission_id integer NOT NULL,
  course_id integer NOT NULL,
  student_id integer NOT NULL,
  item_id integer NOT NULL,
  -- Null if the only event received is of an earlier version, which does not include the time.
  submitted_at timestamptz,
  late_waived boolean NOT NULL,
  state_revision integer NOT NULL,
  PRIMARY KEY (kind, submission_id)
);
CREATE INDEX gradebook_submissions_of_student ON gradebook_submissions (student_id, course_id);

-- A removed allowance keeps its row, so that no late event restores it.
CREATE TABLE gradebook_allowances (
  student_id integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('homework', 'quiz')),
  item_id integer NOT NULL,
  closes_at timestamptz,
  excused boolean NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (student_id, kind, item_id)
);

-- Whether students could see the grade, as of a revision of its item. Both are null in grades from events of earlier
-- versions.
ALTER TABLE grades
  ADD COLUMN visible_from timestamptz,
  ADD COLUMN item_revision integer;

-- The number and the sum of an item's grades, because a large course has millions of grades. Triggers maintain them, so
-- they are exact regardless of which statement writes a grade.
CREATE TABLE gradebook_statistics (
  kind text NOT NULL,
  item_id integer NOT NULL,
  graded integer NOT NULL,
  points numeric NOT NULL,
  PRIMARY KEY (kind, item_id)
);
INSERT INTO gradebook_statistics
  SELECT kind, item_id, count(*), sum(grade) FROM grades WHERE grade IS NOT NULL GROUP BY kind, item_id;
CREATE INDEX gradebook_allowances_excused ON gradebook_allowances (kind, item_id) WHERE excused;

CREATE FUNCTION count_grades() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT
AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO gradebook_statistics AS s (kind, item_id, graded, points)
    SELECT kind, item_id, -count(*), -sum(grade) FROM before WHERE grade IS NOT NULL
    GROUP BY kind, item_id ORDER BY kind, item_id
    ON CONFLICT (kind, item_id) DO UPDATE SET graded = s.graded + excluded.graded, points = s.points + excluded.points;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO gradebook_statistics AS s (kind, item_id, graded, points)
    SELECT kind, item_id, count(*), sum(grade) FROM after WHERE grade IS NOT NULL
    GROUP BY kind, item_id ORDER BY kind, item_id
    ON CONFLICT (kind, item_id) DO UPDATE SET graded = s.graded + excluded.graded, points = s.points + excluded.points;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_inserted AFTER INSERT ON grades
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_grades();
CREATE TRIGGER count_updated AFTER UPDATE ON grades
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_grades();
CREATE TRIGGER count_deleted AFTER DELETE ON grades
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_grades();
