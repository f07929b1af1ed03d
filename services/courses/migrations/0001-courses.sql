-- Courses, their classes, who is in them, and the gradebook.

CREATE TABLE courses (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  description text,
  -- How many are enrolled, kept in the transaction that changes it: counting a large course takes longer than a page.
  student_count integer NOT NULL DEFAULT 0,
  -- Grows with each change of what its events tell.
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX courses_newest ON courses (created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- How many courses the list has, for the same reason.
CREATE TABLE course_total (total integer NOT NULL);
INSERT INTO course_total VALUES (0);

CREATE TABLE classes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  course_id integer NOT NULL REFERENCES courses,
  title text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX classes_newest ON classes (course_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

\ir ../../../shared/migrations/people-1.sql

/*
 * The form in which names and search terms are compared: without regard to case in any script (the database's own
 * lower() may know ASCII only), composed and decomposed accents alike, a final sigma like any other, a Turkish İ
 * like i. Unit separators become spaces, so that the one between two columns is in no name and in no term.
 */
CREATE FUNCTION search_form(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN replace(translate(lower(normalize(value, NFC) COLLATE "und-x-icu"), E'ς\x1f', 'σ '), E'i\u0307', 'i');

/*
 * What a search looks into: every column by itself, between separators. It is kept in an index, whose entries have
 * an end: of names that nobody has, together beyond 2,000 bytes, only the beginnings are found.
 */
CREATE FUNCTION search_text(first_name text, last_name text, email text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT CASE
    WHEN octet_length(concat(f, l, e)) <= 2000 THEN f || E'\x1f' || l || E'\x1f' || e
    ELSE left(f, 120) || E'\x1f' || left(l, 120) || E'\x1f' || left(e, 240)
  END
  FROM (VALUES (
    search_form(coalesce(first_name, '')), search_form(coalesce(last_name, '')), search_form(coalesce(email, ''))
  )) AS columns (f, l, e)
);

/*
 * Everybody who is or was enrolled in a course, or has a grade in it. The row of an ended enrollment stays, so that
 * the revision goes on growing when the same person is enrolled again.
 *
 * Name and address are copies, from which the columns are made that lists are searched and ordered by: a search
 * reads one column of one course, a page of the list is read in the order of an index. All of them are null while
 * a name is not known, and when the account was deleted. There is no reference to courses: a grade is believed.
 */
CREATE TABLE roster (
  course_id integer NOT NULL,
  user_id integer NOT NULL,
  is_enrolled boolean NOT NULL DEFAULT false,
  paid boolean NOT NULL DEFAULT false,
  -- Of the enrollment: 0 as long as there never was one.
  revision integer NOT NULL DEFAULT 0,
  is_graded boolean NOT NULL DEFAULT false,
  first_name text,
  last_name text,
  email text,
  search_text text COLLATE "C" GENERATED ALWAYS AS (search_text(first_name, last_name, email)) STORED,
  -- No longer than fits an entry of an index. Two names with the same first 60 characters are told apart by their id.
  last_name_key text COLLATE "und-x-icu" GENERATED ALWAYS AS (left(search_form(coalesce(last_name, '')), 60)) STORED,
  first_name_key text COLLATE "und-x-icu" GENERATED ALWAYS AS (left(search_form(coalesce(first_name, '')), 60)) STORED,
  is_nameless boolean GENERATED ALWAYS AS (last_name IS NULL) STORED,
  PRIMARY KEY (course_id, user_id)
) WITH (
  -- A search reads nothing but the index wherever autovacuum has been, so it should come often.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02
);
-- The student list's order, and all that a search in it reads.
CREATE INDEX roster_students ON roster (course_id, last_name_key, first_name_key, user_id) INCLUDE (search_text)
  WHERE is_enrolled;
CREATE INDEX roster_gradebook ON roster (course_id, is_nameless, last_name_key, first_name_key, user_id)
  WHERE is_enrolled OR is_graded;
CREATE INDEX roster_of_user ON roster (user_id);
CREATE INDEX roster_nameless ON roster (user_id) WHERE last_name IS NULL;

/*
 * The copies follow `people`, whoever writes it: an event, the fetch of a name that was missing, the rebuild. Of a
 * person who becomes known and a row that comes to refer to them at the same moment, neither sees the other before
 * it is committed; the lock lets the second wait for the first. It is one of a thousand, so that a statement about a
 * whole school does not fill the server's table of locks.
 */
CREATE FUNCTION copy_name_from_people() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('name in roster'), NEW.user_id % 1000);
  SELECT first_name, last_name, email INTO NEW.first_name, NEW.last_name, NEW.email
  FROM people WHERE user_id = NEW.user_id AND NOT is_deleted;
  RETURN NEW;
END
$$;
CREATE TRIGGER copy_name BEFORE INSERT ON roster FOR EACH ROW EXECUTE FUNCTION copy_name_from_people();

CREATE FUNCTION copy_name_to_roster() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('name in roster'), NEW.user_id % 1000);
  IF NEW.is_deleted THEN
    NEW.first_name = NULL;
    NEW.last_name = NULL;
    NEW.email = NULL;
  END IF;
  UPDATE roster SET first_name = NEW.first_name, last_name = NEW.last_name, email = NEW.email
  WHERE user_id = NEW.user_id
    AND (first_name, last_name, email) IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.email);
  RETURN NULL;
END
$$;
CREATE TRIGGER copy_name AFTER INSERT OR UPDATE ON people FOR EACH ROW EXECUTE FUNCTION copy_name_to_roster();

-- The present grade of every graded submission, as the grading events told it.
CREATE TABLE grades (
  kind text NOT NULL CHECK (kind IN ('homework', 'quiz')),
  submission_id integer NOT NULL,
  course_id integer NOT NULL,
  student_id integer NOT NULL,
  -- The class of a homework, or the quiz.
  item_id integer NOT NULL,
  title text NOT NULL,
  grade numeric(10, 4) NOT NULL,
  total_grade numeric(10, 4) NOT NULL,
  graded_at timestamptz NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (kind, submission_id)
);
CREATE INDEX grades_in_gradebook ON grades (course_id, student_id, graded_at, kind, submission_id);
CREATE INDEX grades_of_student ON grades (student_id, graded_at DESC, kind, submission_id);
