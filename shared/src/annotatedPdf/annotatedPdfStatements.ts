import { fileColumns } from '../files/fileColumns.ts';

export const find = `
  SELECT ${fileColumns} FROM marked_pdfs m JOIN files f ON f.id = m.file_id
  WHERE m.submission_id = $1 AND m.fingerprint = $2 AND f.removed_at IS NULL`;

/** Serializes transactions that store a render of the same submission. */
export const lock = "SELECT pg_advisory_xact_lock(hashtext('marked pdf'), $1)";

export const lockSources = `
  SELECT id FROM files
  WHERE id = ANY($1::integer[]) AND attached_at IS NOT NULL AND removed_at IS NULL AND reduced_at IS NULL
  ORDER BY id FOR SHARE`;

export const insert = `
  INSERT INTO marked_pdfs (submission_id, fingerprint, source_ids, file_id) VALUES ($1, $2, $3::integer[], $4)`;

export const removeKept = 'DELETE FROM marked_pdfs WHERE submission_id = $1 RETURNING file_id AS "fileId"';
