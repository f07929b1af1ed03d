import type { RetentionQueries } from '@gradeway/shared/retention/retention';

const millisecondsAgo = "now() - $1::float8 * interval '1 millisecond'";

// One look into the index submissions_of_course for each course, instead of reading the entry of every submission.
const courses = `
  WITH RECURSIVE next AS (
    SELECT min(course_id) AS course_id FROM submissions
    UNION ALL
    SELECT (SELECT min(s.course_id) FROM submissions s WHERE s.course_id > next.course_id) FROM next
    WHERE next.course_id IS NOT NULL)
  SELECT course_id FROM next WHERE course_id IS NOT NULL`;

/** The answer sheets that are past their retention. */
export const retentionQueries: RetentionQueries = {
  coursesWithFiles: courses,
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
