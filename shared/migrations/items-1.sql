-- Teachers' decisions about the work of a course (shared/src/items). An item is a quiz or the assignment of a class.

/*
 * More time for one student, or an excuse. A removed allowance keeps its row, so that its revision never decreases and no late
 * event restores it.
 */
CREATE TABLE allowances (
  item_id integer NOT NULL,
  student_id integer NOT NULL,
  closes_at timestamptz,
  extra_minutes integer NOT NULL DEFAULT 0,
  excused boolean NOT NULL DEFAULT false,
  note text,
  changed_by integer NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  is_removed boolean NOT NULL DEFAULT false,
  -- Increments with each published change.
  revision integer NOT NULL DEFAULT 1,
  PRIMARY KEY (item_id, student_id)
);
CREATE INDEX allowances_of_student ON allowances (student_id, item_id);

/*
 * Names a submission while its student is anonymous, and places it in the shuffled order. Random, so that it reveals nothing
 * about the student or the time of the upload; without characters that look alike.
 */
CREATE FUNCTION random_code() RETURNS text LANGUAGE sql VOLATILE
RETURN substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + floor(random() * 32)::integer, 1)
  || substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + floor(random() * 32)::integer, 1)
  || substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + floor(random() * 32)::integer, 1)
  || substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + floor(random() * 32)::integer, 1);
