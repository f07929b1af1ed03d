-- The shuffled order of the queue for each filter, like submissions_ungraded and submissions_graded for the order of
-- arrival.
CREATE INDEX submissions_ungraded_shuffled ON submissions (quiz_id, code, id) WHERE total_grade IS NULL;
CREATE INDEX submissions_graded_shuffled ON submissions (quiz_id, code, id) WHERE total_grade IS NOT NULL;

-- Staff who handed in for students; lists include their names.
CREATE INDEX submissions_handed_in ON submissions (submitted_by) WHERE submitted_by IS NOT NULL;
