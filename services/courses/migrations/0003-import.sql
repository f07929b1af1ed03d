-- Imports of OneRoster archives: what they called the records that are there, and what is planned.

-- What the school's own system calls a course, a class and an enrollment. A name whose record was deleted since means
-- nothing any more. One enrollment may have several: one for each class of the course.
CREATE TABLE course_sources (
  sourced_id text PRIMARY KEY,
  course_id integer NOT NULL REFERENCES courses
);
CREATE INDEX course_sources_course ON course_sources (course_id);
CREATE TABLE class_sources (
  sourced_id text PRIMARY KEY,
  class_id integer NOT NULL REFERENCES classes
);
CREATE TABLE enrollment_sources (
  sourced_id text PRIMARY KEY,
  course_id integer NOT NULL,
  user_id integer NOT NULL
);
CREATE INDEX enrollment_sources_enrollment ON enrollment_sources (course_id, user_id);

/*
 * An import is `planning`, then `planned`, or `refused` when it has bad rows. Its commit goes over two services
 * (docs/decisions/0022): `committing` while auth reserves, `committed` from the transaction on in which courses,
 * classes and enrollments change, `done` when the accounts are real too. One that was given up before `committed` is
 * `releasing` until auth has let go, and then `planned` again.
 */
CREATE TABLE imports (
  id uuid PRIMARY KEY,
  state text NOT NULL CHECK (
    state IN ('planning', 'planned', 'refused', 'committing', 'releasing', 'committed', 'done')),
  token_hash bytea UNIQUE,
  -- Whether those whom it enrolls have paid.
  is_paid boolean NOT NULL,
  created_by integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  committed_at timestamptz,
  -- How many rows have been read, compared or written, of how many.
  done_rows integer NOT NULL DEFAULT 0,
  total_rows integer NOT NULL DEFAULT 0,
  -- Files of the archive that mean nothing here.
  ignored text[] NOT NULL DEFAULT '{}',
  -- Who plans or commits it, and until when that is believed without another sign of life.
  claimed_by uuid,
  claimed_until timestamptz
);
-- One commit at a time: two plans that were made beside each other would not know of each other.
CREATE UNIQUE INDEX imports_one_at_a_time ON imports ((true)) WHERE state IN ('committing', 'releasing', 'committed');
CREATE INDEX imports_age ON imports (expires_at);

CREATE TABLE import_rows (
  import_id uuid NOT NULL REFERENCES imports ON DELETE CASCADE,
  -- In the order of the answer: users, courses, classes, enrollments, each in the order of its file.
  position integer NOT NULL,
  -- `known`: not a row of the archive, but an account that its enrollments refer to.
  file text NOT NULL CHECK (file IN ('users', 'courses', 'classes', 'enrollments', 'known')),
  line integer NOT NULL,
  sourced_id text NOT NULL,
  is_deleted boolean NOT NULL,
  -- What the row says, without any password.
  wanted jsonb NOT NULL,
  -- Null until it is known.
  action text CHECK (action IN ('create', 'update', 'delete', 'unchanged', 'ignored', 'error')),
  changes jsonb NOT NULL DEFAULT '{}',
  messages jsonb NOT NULL DEFAULT '[]',
  -- Which record it is, of a new one as well: ids are given when it is planned. And the revision that it had then.
  course_id integer,
  class_id integer,
  user_id integer,
  revision integer NOT NULL DEFAULT 0,
  -- Of a user's row: the account as courses will first know it.
  account jsonb,
  PRIMARY KEY (import_id, position)
);
CREATE INDEX import_rows_name ON import_rows (import_id, file, sourced_id);
CREATE INDEX import_rows_user ON import_rows (import_id, user_id) WHERE file = 'enrollments';
