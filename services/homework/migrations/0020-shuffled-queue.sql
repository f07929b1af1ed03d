-- The shuffled order of the queue for each filter, like submissions_ungraded and submissions_graded for the order of
-- arrival.
CREATE INDEX submissions_ungraded_shuffled ON submissions (class_id, code, id) WHERE graded_by IS NULL;
CREATE INDEX submissions_graded_shuffled ON submissions (class_id, code, id) WHERE graded_by IS NOT NULL;

-- Staff who handed in for students; lists include their names.
CREATE INDEX submissions_handed_in ON submissions (submitted_by) WHERE submitted_by IS NOT NULL;
