-- submission_files_of_submission finds the few files of a submission; sorting them is just as cheap (decision 62).
DROP INDEX submission_files_replaced;
