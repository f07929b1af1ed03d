-- Annotated PDFs that were drawn and kept.

\ir ../../../shared/migrations/marked_pdfs-1.sql
