-- Cached annotated PDFs.

\ir ../../../shared/migrations/marked_pdfs-1.sql

-- A grading (including a regrading by a rubric change) and a new upload both change the row.
CREATE TRIGGER marked_pdf_of_submission_ends AFTER UPDATE ON submissions
  FOR EACH ROW EXECUTE FUNCTION forget_marked_pdf();
