-- The shuffled order of the queue with each filter, as submissions_ungraded and submissions_graded are for the order of arrival.
CREATE INDEX submissions_ungraded_shuffled ON submissions (quiz_id, code, id) WHERE total_grade IS NULL;
CREATE INDEX submissions_graded_shuffled ON submissions (quiz_id, code, id) WHERE total_grade IS NOT NULL;

-- The members of staff who handed in for students, whose names lists contain.
CREATE INDEX submissions_handed_in ON submissions (submitted_by) WHERE submitted_by IS NOT NULL;
