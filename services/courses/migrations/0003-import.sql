-- OneRoster imports: the sourcedIds of existing records, and the plans of dry runs.

-- The sourcedIds of courses, classes and enrollments in the school's own system. The sourcedId of a deleted record is
-- ignored. An enrollment may have several: one for each class of the course.
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
 * An import is `planning`, then `planned`, or `refused` if it has invalid rows. Its commit spans two services
 * (decision 0022): `committing` while auth reserves the accounts, `committed` by the transaction that changes
 * courses, classes and enrollments, and `done` once auth has completed the accounts. A commit that is aborted before
 * `committed` is `releasing` until auth has released the accounts, and then `planned` again.
 */
CREATE TABLE imports (
  id uuid PRIMARY KEY,
  state text NOT NULL CHECK (
    state IN ('planning', 'planned', 'refused', 'committing', 'releasing', 'committed', 'done')),
  token_hash bytea UNIQUE,
  -- Whether new enrollments count as paid.
  is_paid boolean NOT NULL,
  created_by integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  committed_at timestamptz,
  -- Rows that the current step has read, planned or written.
  done_rows integer NOT NULL DEFAULT 0,
  total_rows integer NOT NULL DEFAULT 0,
  -- Files of the archive that the import does not use.
  ignored text[] NOT NULL DEFAULT '{}',
  -- The lease of the process that plans or commits the import.
  claimed_by uuid,
  claimed_until timestamptz
);
-- One commit at a time, because concurrent plans do not take each other into account.
CREATE UNIQUE INDEX imports_one_at_a_time ON imports ((true)) WHERE state IN ('committing', 'releasing', 'committed');
CREATE INDEX imports_age ON imports (expires_at);

CREATE TABLE import_rows (
  import_id uuid NOT NULL REFERENCES imports ON DELETE CASCADE,
  -- The order of the response: users, courses, classes, enrollments, each in the order of its file.
  position integer NOT NULL,
  -- `known`: not a row of the archive, but an existing account that its enrollments refer to.
  file text NOT NULL CHECK (file IN ('users', 'courses', 'classes', 'enrollments', 'known')),
  line integer NOT NULL,
  sourced_id text NOT NULL,
  is_deleted boolean NOT NULL,
  -- The values of the row, without any password.
  wanted jsonb NOT NULL,
  -- Null until it has been planned.
  action text CHECK (action IN ('create', 'update', 'delete', 'unchanged', 'ignored', 'error')),
  changes jsonb NOT NULL DEFAULT '{}',
  messages jsonb NOT NULL DEFAULT '[]',
  -- The id of the record, which is assigned during planning for a new record, and its revision at that time.
  course_id integer,
  class_id integer,
  user_id integer,
  revision integer NOT NULL DEFAULT 0,
  -- For users: the account as it will be after the import.
  account jsonb,
  PRIMARY KEY (import_id, position)
);
CREATE INDEX import_rows_name ON import_rows (import_id, file, sourced_id);
CREATE INDEX import_rows_user ON import_rows (import_id, user_id) WHERE file = 'enrollments';
