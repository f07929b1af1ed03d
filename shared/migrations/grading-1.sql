-- The data that graders add to submissions (shared/src/grading). An item is a quiz or the assignment of a class.

-- The form in which names and search terms are compared. It ignores case, composed accents, and variants of sigma and i.
CREATE FUNCTION search_form(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN replace(translate(lower(normalize(value, NFC) COLLATE "und-x-icu"), E'ς\x1f', 'σ '), E'i\u0307', 'i');

/*
 * How many submissions an item has, and how many are graded, kept by triggers of each service: counting a queue would take longer
 * than opening it. The counts of an item are spread over rows by connection, because an upload holds its row until it commits,
 * and before a deadline there are many at once.
 */
CREATE TABLE grading_totals (
  item_id integer NOT NULL,
  slot smallint NOT NULL,
  submissions integer NOT NULL,
  graded integer NOT NULL,
  PRIMARY KEY (item_id, slot)
);
CREATE FUNCTION add_to_grading_totals(item integer, submissions bigint, graded bigint) RETURNS void
LANGUAGE sql SET search_path FROM CURRENT
AS $$
  INSERT INTO grading_totals AS t VALUES (item, pg_backend_pid() % 16, submissions, graded)
  ON CONFLICT (item_id, slot) DO UPDATE
    SET submissions = t.submissions + excluded.submissions, graded = t.graded + excluded.graded;
$$;

-- A deleted rubric keeps its row, so that no revision is ever used twice.
CREATE TABLE rubrics (
  item_id integer PRIMARY KEY,
  revision integer NOT NULL DEFAULT 0,
  is_deleted boolean NOT NULL DEFAULT true,
  mode text NOT NULL DEFAULT 'add' CHECK (mode IN ('add', 'subtract')),
  max_points numeric(10, 4) NOT NULL DEFAULT 0,
  min_points numeric(10, 4) NOT NULL DEFAULT 0
);

CREATE TABLE rubric_items (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  item_id integer NOT NULL REFERENCES rubrics,
  place integer NOT NULL,
  points numeric(11, 4) NOT NULL,
  text text NOT NULL,
  explanation text,
  group_name text,
  key text,
  -- The number of submissions that have it selected, kept by a trigger.
  uses integer NOT NULL DEFAULT 0
);
CREATE INDEX rubric_items_of_rubric ON rubric_items (item_id, place);

/*
 * Counts the uses of the items that a changed selection gains or loses; others are not written, because a change of the rubric may
 * take one item out of thousands of selections. In the order of their ids, so that two gradings never wait for each other. A
 * change of the rubric deletes the items it removes before it takes them out of selections, and so costs no count here.
 */
CREATE FUNCTION count_rubric_uses() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  before integer[] := OLD.selection;
  after integer[] := CASE WHEN TG_OP = 'UPDATE' THEN NEW.selection ELSE '{}' END;
BEGIN
  WITH selected AS (
    SELECT id FROM rubric_items
    WHERE id = ANY (before || after) AND (id = ANY (before)) <> (id = ANY (after))
    ORDER BY id FOR NO KEY UPDATE)
  UPDATE rubric_items r SET uses = r.uses + CASE WHEN r.id = ANY (after) THEN 1 ELSE -1 END
  FROM selected WHERE r.id = selected.id;
  RETURN NULL;
END $$;

-- Records who is working on a submission, and until when. A claim that has ended keeps its row until another replaces it.
CREATE TABLE claims (
  submission_id integer PRIMARY KEY,
  item_id integer NOT NULL,
  user_id integer NOT NULL,
  claimed_until timestamptz NOT NULL
);
CREATE INDEX claims_of_item ON claims (item_id, user_id);
CREATE INDEX claims_of_grader ON claims (user_id);

-- The marks on a file (Annotation in annotation.ts). They are kept when the file is replaced, and deleted when it is removed.
CREATE TABLE annotations (
  file_id integer PRIMARY KEY REFERENCES files ON DELETE CASCADE,
  marks jsonb NOT NULL
);

-- The sizes of the pages of a PDF in points, measured when they are first needed. A stored file never changes.
CREATE TABLE page_sizes (
  file_id integer PRIMARY KEY REFERENCES files ON DELETE CASCADE,
  widths real[] NOT NULL,
  heights real[] NOT NULL
);
