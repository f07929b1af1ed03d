-- The current titles of quizzes, for the gradebook: a grade stores the title at the time of its grading.
CREATE TABLE quiz_titles (
  quiz_id integer PRIMARY KEY,
  title text NOT NULL,
  revision integer NOT NULL
);
