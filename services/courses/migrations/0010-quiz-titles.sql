-- The present titles of quizzes, for the gradebook: a grade has the title of the time of its grading.
CREATE TABLE quiz_titles (
  quiz_id integer PRIMARY KEY,
  title text NOT NULL,
  revision integer NOT NULL
);
