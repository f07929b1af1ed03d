-- Annotated PDFs of submissions that were drawn and kept (shared/src/annotatedPdf/annotatedPdfs.ts). `source_ids` are the files
-- that they were drawn from.

CREATE TABLE marked_pdfs (
  submission_id integer PRIMARY KEY,
  fingerprint text NOT NULL,
  source_ids integer[] NOT NULL,
  file_id integer NOT NULL UNIQUE REFERENCES files ON DELETE CASCADE,
  drawn_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX marked_pdfs_of_sources ON marked_pdfs USING gin (source_ids);

-- A copy becomes obsolete when the submission changes. The file sweep deletes its bytes, and then its row here. Until then, the
-- erasure of a person can find it.
CREATE FUNCTION forget_marked_pdf() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE files SET removed_at = now()
  WHERE id = (SELECT file_id FROM marked_pdfs WHERE submission_id = NEW.id) AND removed_at IS NULL;
  RETURN NULL;
END $$;
