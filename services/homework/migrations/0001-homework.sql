-- Classes and their assignments, what students submitted, and the names that lists show.

CREATE TABLE files (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL UNIQUE,
  name text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  crc32 bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attached_at timestamptz,
  removed_at timestamptz
);
CREATE INDEX files_leftover ON files (created_at) WHERE attached_at IS NULL OR removed_at IS NOT NULL;

-- Projection of courses' classes, all but has_assignment: that is our own, and stands here so that one index holds
-- what the lists go through and in which order.
CREATE TABLE classes (
  class_id integer PRIMARY KEY,
  course_id integer NOT NULL,
  title text NOT NULL,
  created_at timestamptz NOT NULL,
  is_deleted boolean NOT NULL,
  revision integer NOT NULL,
  has_assignment boolean NOT NULL DEFAULT false,
  is_listed boolean GENERATED ALWAYS AS (has_assignment AND NOT is_deleted) STORED
);
CREATE INDEX classes_newest ON classes (created_at DESC, class_id DESC) WHERE is_listed;
CREATE INDEX classes_of_course ON classes (course_id, created_at DESC, class_id DESC) WHERE is_listed;

-- Projection of courses' courses.
CREATE TABLE courses (
  course_id integer PRIMARY KEY,
  title text NOT NULL,
  is_deleted boolean NOT NULL,
  revision integer NOT NULL
);

-- How many classes of a course are listed: counting them takes longer than a page.
CREATE TABLE homework_totals (
  course_id integer PRIMARY KEY,
  total integer NOT NULL
);

-- A class comes into the lists and leaves them on many ways: its assignment is set or removed, an event deletes it or
-- moves it, a rebuild finds it gone. A trigger keeps the totals right on each of them, in the same transaction.
CREATE FUNCTION keep_homework_totals() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.is_listed THEN
    UPDATE homework_totals SET total = total - 1 WHERE course_id = OLD.course_id;
  END IF;
  IF NEW.is_listed THEN
    INSERT INTO homework_totals AS t (course_id, total) VALUES (NEW.course_id, 1)
    ON CONFLICT (course_id) DO UPDATE SET total = t.total + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER new_class_counts AFTER INSERT ON classes
  FOR EACH ROW WHEN (NEW.is_listed) EXECUTE FUNCTION keep_homework_totals();
CREATE TRIGGER changed_class_counts AFTER UPDATE ON classes
  FOR EACH ROW WHEN ((OLD.course_id, OLD.is_listed) IS DISTINCT FROM (NEW.course_id, NEW.is_listed))
  EXECUTE FUNCTION keep_homework_totals();

-- A removed assignment keeps its row, so that it can be brought back; classes.has_assignment says whether it counts.
CREATE TABLE assignments (
  class_id integer PRIMARY KEY REFERENCES classes,
  deadline timestamptz,
  description text,
  file_id integer REFERENCES files
);

CREATE TABLE submissions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  class_id integer NOT NULL REFERENCES classes,
  student_id integer NOT NULL,
  submitted_at timestamptz NOT NULL,
  rating smallint CHECK (rating BETWEEN 1 AND 10),
  comment text,
  graded_by integer,
  graded_at timestamptz,
  -- Grows with each grading that changes something.
  revision integer NOT NULL DEFAULT 0,
  CONSTRAINT submissions_one_per_student UNIQUE (class_id, student_id),
  CONSTRAINT submissions_graded_whole CHECK (
    (rating IS NULL) = (graded_by IS NULL) AND (rating IS NULL) = (graded_at IS NULL))
);
CREATE INDEX submissions_in_order ON submissions (class_id, submitted_at, id);
CREATE INDEX submissions_of_student ON submissions (student_id);

-- Every file of a submission. Those that a later upload replaced stay, marked, as they were submitted.
CREATE TABLE submission_files (
  file_id integer PRIMARY KEY REFERENCES files,
  submission_id integer NOT NULL REFERENCES submissions,
  submitted_at timestamptz NOT NULL,
  replaced_at timestamptz
);
CREATE INDEX submission_files_present ON submission_files (submission_id, file_id) WHERE replaced_at IS NULL;

CREATE TABLE gradings (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  submission_id integer NOT NULL REFERENCES submissions,
  rating smallint NOT NULL,
  comment text,
  graded_by integer NOT NULL,
  graded_at timestamptz NOT NULL
);
CREATE INDEX gradings_of_submission ON gradings (submission_id, id DESC);

-- Projection of auth's accounts (shared/src/projections/userProjection.ts).
CREATE TABLE people (
  user_id integer PRIMARY KEY,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text,
  is_deleted boolean NOT NULL,
  revision integer NOT NULL
);
