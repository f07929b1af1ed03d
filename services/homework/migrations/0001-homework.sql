-- Assignments of classes, their submissions and gradings, and the projections used by lists.

\ir ../../../shared/migrations/files-1.sql

-- Projection of the classes in the courses service. has_assignment is homework's own column; it is here so that one
-- index serves both the filter and the order of the lists.
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

-- Projection of the courses in the courses service.
CREATE TABLE courses (
  course_id integer PRIMARY KEY,
  title text NOT NULL,
  is_deleted boolean NOT NULL,
  revision integer NOT NULL
);

-- The number of listed classes per course; counting them would take longer than reading a page.
CREATE TABLE homework_totals (
  course_id integer PRIMARY KEY,
  total integer NOT NULL
);

-- Several operations add a class to the lists or remove it: setting or removing its assignment, an event that deletes
-- or moves it, a rebuild that finds it missing. The trigger updates the totals in the same transaction for all of them.
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

-- A removed assignment keeps its row, so that the assignment can be restored; classes.has_assignment marks the active
-- ones.
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
  -- Incremented by each grading that changes the rating or the comment.
  revision integer NOT NULL DEFAULT 0,
  CONSTRAINT submissions_one_per_student UNIQUE (class_id, student_id),
  CONSTRAINT submissions_graded_whole CHECK (
    (rating IS NULL) = (graded_by IS NULL) AND (rating IS NULL) = (graded_at IS NULL))
);
CREATE INDEX submissions_in_order ON submissions (class_id, submitted_at, id);
CREATE INDEX submissions_of_student ON submissions (student_id);

-- All files of a submission. Files replaced by a later upload stay, with the time of their replacement.
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

\ir ../../../shared/migrations/people-1.sql
