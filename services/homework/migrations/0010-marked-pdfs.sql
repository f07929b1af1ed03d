-- Annotated PDFs that were drawn and kept.

\ir ../../../shared/migrations/marked_pdfs-1.sql

-- A grading, also one by a change of the rubric, and a new upload each change the row.
CREATE TRIGGER marked_pdf_of_submission_ends AFTER UPDATE ON submissions
  FOR EACH ROW EXECUTE FUNCTION forget_marked_pdf();
