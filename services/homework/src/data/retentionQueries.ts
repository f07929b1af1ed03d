import { millisecondsAgo, type RetentionQueries } from '@gradeway/shared/retention/retention';

// One index lookup in submissions for each class. A join would read all submissions.
const courses = `
  SELECT course_id FROM classes c
  WHERE (SELECT true FROM submissions s WHERE s.class_id = c.class_id LIMIT 1)`;

/** The files of submissions that are past their retention. */
export const retentionQueries: RetentionQueries = {
  coursesWithFiles: courses,
  replacedFiles: `SELECT file_id FROM submission_files WHERE replaced_at < ${millisecondsAgo}`,
  finishedFiles: `
    SELECT sf.file_id
    FROM finished_courses fc JOIN classes c ON c.course_id = fc.course_id
      JOIN submissions s ON s.class_id = c.class_id JOIN submission_files sf ON sf.submission_id = s.id
    WHERE fc.finished_at < ${millisecondsAgo}`,
  detach: [
    // Changes the version of the row, so that a grading that has read the files does not take effect (decision 45).
    `UPDATE submissions SET revision = revision
     WHERE id IN (SELECT submission_id FROM submission_files WHERE file_id = ANY($1))`,
    'DELETE FROM submission_files WHERE file_id = ANY($1)',
  ],
};
