import type { RetentionQueries } from '@gradeway/shared/retention/retention';

const millisecondsAgo = "now() - $1::float8 * interval '1 millisecond'";

/** The answer sheets that are past their retention. */
export const retentionQueries: RetentionQueries = {
  coursesWithFiles: 'SELECT course_id FROM submissions',
  replacedFiles: `SELECT file_id FROM replaced_sheets WHERE replaced_at < ${millisecondsAgo}`,
  finishedFiles: `
    SELECT s.file_id
    FROM finished_courses fc JOIN submissions s ON s.course_id = fc.course_id
    WHERE fc.finished_at < ${millisecondsAgo} AND s.file_id IS NOT NULL
    UNION ALL
    SELECT r.file_id
    FROM finished_courses fc JOIN submissions s ON s.course_id = fc.course_id
      JOIN replaced_sheets r ON r.submission_id = s.id
    WHERE fc.finished_at < ${millisecondsAgo}`,
  detach: [
    'UPDATE submissions SET file_id = NULL WHERE file_id = ANY($1)',
    'DELETE FROM replaced_sheets WHERE file_id = ANY($1)',
  ],
};
