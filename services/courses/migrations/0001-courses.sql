-- Courses, classes, enrollments and the gradebook.

CREATE TABLE courses (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  description text,
  -- Maintained by the transactions that change enrollments, because counting a large course takes longer than a page.
  student_count integer NOT NULL DEFAULT 0,
  -- Increments with each published change.
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX courses_newest ON courses (created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- The number of courses, for the same reason.
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
 * Normalizes names and search terms for comparison: lower case in every script (the database's default lower() may
 * only handle ASCII), composed accents, a final sigma as a normal one, and a Turkish İ as i. Unit separators become
 * spaces, because search_text separates its columns with them.
 */
CREATE FUNCTION search_form(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN replace(translate(lower(normalize(value, NFC) COLLATE "und-x-icu"), E'ς\x1f', 'σ '), E'i\u0307', 'i');

/*
 * The text that a search matches: all columns with separators, so that no match spans two columns. It is part of an
 * index, whose entries are limited in size: beyond 2,000 bytes, more than any real name, only prefixes are searchable.
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
 * All users who are or were enrolled in a course, or have a grade in it. The row outlives the enrollment, so that its
 * revision never decreases when the same user is enrolled again.
 *
 * Name and address are copies from `people`. The columns for searching and sorting are generated from them: a search
 * reads one column of one course, and a page of the list follows an index. The copies are null until the name is
 * known, and after the account was deleted. There is no foreign key to courses, because a grading event is accepted
 * for any id.
 */
CREATE TABLE roster (
  course_id integer NOT NULL,
  user_id integer NOT NULL,
  is_enrolled boolean NOT NULL DEFAULT false,
  paid boolean NOT NULL DEFAULT false,
  -- Revision of the enrollment; 0 if there never was one.
  revision integer NOT NULL DEFAULT 0,
  is_graded boolean NOT NULL DEFAULT false,
  first_name text,
  last_name text,
  email text,
  search_text text COLLATE "C" GENERATED ALWAYS AS (search_text(first_name, last_name, email)) STORED,
  -- Short enough for an index entry. Names with the same first 60 characters are sorted by id.
  last_name_key text COLLATE "und-x-icu" GENERATED ALWAYS AS (left(search_form(coalesce(last_name, '')), 60)) STORED,
  first_name_key text COLLATE "und-x-icu" GENERATED ALWAYS AS (left(search_form(coalesce(first_name, '')), 60)) STORED,
  is_nameless boolean GENERATED ALWAYS AS (last_name IS NULL) STORED,
  PRIMARY KEY (course_id, user_id)
) WITH (
  -- Frequent vacuuming keeps searches index-only.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02
);
-- The order of the student list, with the column that its search reads.
CREATE INDEX roster_students ON roster (course_id, last_name_key, first_name_key, user_id) INCLUDE (search_text)
  WHERE is_enrolled;
CREATE INDEX roster_gradebook ON roster (course_id, is_nameless, last_name_key, first_name_key, user_id)
  WHERE is_enrolled OR is_graded;
CREATE INDEX roster_of_user ON roster (user_id);
CREATE INDEX roster_nameless ON roster (user_id) WHERE last_name IS NULL;

/*
 * Triggers keep the copies in step with `people`, whatever writes it: an event, the fetch of a missing name, or a
 * rebuild. When a user and a roster row for that user are inserted concurrently, neither transaction sees the other's
 * row; the advisory lock makes the second one wait. There are a thousand locks, so that a statement about a whole
 * school does not exhaust the server's lock table.
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

-- The current grade of every graded submission, from grading events.
CREATE TABLE grades (
  kind text NOT NULL CHECK (kind IN ('homework', 'quiz')),
  submission_id integer NOT NULL,
  course_id integer NOT NULL,
  student_id integer NOT NULL,
  -- The class id of a homework, or the quiz id.
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
