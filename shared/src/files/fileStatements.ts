import { lockShared } from '../personalData/erasedPeople.ts';
import { fileColumns } from './fileColumns.ts';

/*
 * States of a file: pending → attached → removed, or pending → removed. An attached file can be reduced to its row.
 *
 * The row is inserted before the bytes are stored, and the bytes are stored before the record referring to them is
 * committed. A crash in between leaves a pending row, but never a record without its file or a file without a row.
 *
 * Bytes are deleted only after their row is committed as removed, and only unattached files are removed without their
 * record. A record whose COMMIT was sent but not confirmed therefore has its file: either the row is attached, or the
 * removal waits for the transaction that attaches it. `discard` removes pending files immediately. The sweep removes
 * files that have been pending for an hour, and deletes the bytes and rows of removed files.
 */
export const insert = `
  INSERT INTO files AS f (key, name, size, sha256, crc32)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
  RETURNING ${fileColumns}`;

export const attach = `
  UPDATE files SET attached_at = now()
  WHERE id = ANY($1::integer[]) AND attached_at IS NULL AND removed_at IS NULL
  RETURNING id`;
export const attachOfPerson = `
  WITH locked AS MATERIALIZED (SELECT ${lockShared('$2')})
  UPDATE files SET attached_at = now() FROM locked
  WHERE id = ANY($1::integer[]) AND attached_at IS NULL AND removed_at IS NULL
  RETURNING id`;
export const find = `
  SELECT ${fileColumns} FROM files f
  WHERE id = $1 AND attached_at IS NOT NULL AND removed_at IS NULL AND reduced_at IS NULL`;
export const markRemoved = 'UPDATE files SET removed_at = now() WHERE id = ANY($1)';
/**
 * Removes the PDFs rendered from files. Must run after the statement on the files themselves, which waits for the row
 * locks of a transaction that stores a render.
 */
export const removeRendered = `
  WITH drawn AS (DELETE FROM marked_pdfs WHERE source_ids && $1::integer[] RETURNING file_id)
  UPDATE files SET removed_at = now() WHERE id IN (SELECT file_id FROM drawn)`;
export const removeUnattached = `
  UPDATE files SET removed_at = now() WHERE id = ANY($1) AND attached_at IS NULL
  RETURNING id, key`;
export const removeAbandoned = `
  UPDATE files SET removed_at = now() WHERE id IN (
    SELECT id FROM files
    WHERE attached_at IS NULL AND removed_at IS NULL AND created_at < now() - interval '1 hour'
    FOR UPDATE SKIP LOCKED)`;
export const removed =
  'SELECT id, key FROM files WHERE removed_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2';
export const deleteRow = 'DELETE FROM files WHERE id = $1 AND removed_at IS NOT NULL';
export const markReduced = 'UPDATE files SET reduced_at = now() WHERE id = ANY($1) AND reduced_at IS NULL';
export const reduced = `
  SELECT id, key FROM files WHERE reduced_at IS NOT NULL AND bytes_deleted_at IS NULL AND id > $1
  ORDER BY id LIMIT $2`;
export const markBytesDeleted = 'UPDATE files SET bytes_deleted_at = now() WHERE id = $1';
