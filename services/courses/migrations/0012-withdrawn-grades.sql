-- A grade whose grading was undone keeps its row, without the grade, so that no late event of an older revision restores it.
ALTER TABLE grades
  ALTER COLUMN title DROP NOT NULL,
  ALTER COLUMN grade DROP NOT NULL,
  ALTER COLUMN total_grade DROP NOT NULL,
  ALTER COLUMN graded_at DROP NOT NULL;
