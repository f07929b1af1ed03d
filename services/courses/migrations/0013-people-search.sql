-- Searches of people ignore accents and find full names and numbers (D57).

\ir ../../../shared/migrations/people_search-1.sql
\ir ../../../shared/migrations/people-2.sql

-- The columns search_text of roster and its copies in these indexes stay until no replica of the previous version reads them.
ALTER TABLE roster ADD COLUMN mobile text;
ALTER TABLE roster ADD COLUMN people_search_text text COLLATE "C"
  GENERATED ALWAYS AS (people_search_text(first_name, last_name, email, mobile)) STORED;
CREATE INDEX roster_search_2 ON roster (course_id) INCLUDE (user_id, people_search_text) WHERE is_enrolled;
CREATE INDEX roster_students_2 ON roster (course_id, last_name_key, first_name_key, user_id) INCLUDE (people_search_text)
  WHERE is_enrolled;
DROP INDEX roster_search;
DROP INDEX roster_students;

CREATE OR REPLACE FUNCTION copy_name_from_people() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('name in roster'), NEW.user_id % 1000);
  SELECT first_name, last_name, email, mobile INTO NEW.first_name, NEW.last_name, NEW.email, NEW.mobile
  FROM people WHERE user_id = NEW.user_id AND NOT is_deleted;
  RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION copy_name_to_roster() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('name in roster'), NEW.user_id % 1000);
  IF NEW.is_deleted THEN
    NEW.first_name = NULL;
    NEW.last_name = NULL;
    NEW.email = NULL;
    NEW.mobile = NULL;
  END IF;
  UPDATE roster SET first_name = NEW.first_name, last_name = NEW.last_name, email = NEW.email, mobile = NEW.mobile
  WHERE user_id = NEW.user_id AND (first_name, last_name, email, mobile)
    IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.email, NEW.mobile);
  RETURN NULL;
END
$$;
