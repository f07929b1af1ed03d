import { fileColumns } from '@gradeway/shared/files/fileColumns';
import { annotationsOn, selectionColumns } from '@gradeway/shared/grading/personalGrading';
import { eraseSubmissions } from '@gradeway/shared/submissions/eraseSubmissions';
import type { PersonalSubmissions } from '@gradeway/shared/submissions/personalSubmissions';

const records: PersonalSubmissions['records'] = [
  [
    'submissions',
    `SELECT s.id, s.class_id, c.title AS class_title, c.course_id, s.submitted_at, s.late_waived, s.rating, s.comment,
       s.graded_at, ${selectionColumns('s')}
     FROM submissions s JOIN classes c USING (class_id)
     WHERE s.student_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3`,
  ],
  [
    'files',
    `SELECT f.id, sf.submission_id, f.name, f.size::float8 AS size, f.sha256, sf.submitted_at, sf.replaced_at
     FROM submissions s JOIN submission_files sf ON sf.submission_id = s.id JOIN files f ON f.id = sf.file_id
     WHERE s.student_id = $1 AND f.id > $2 ORDER BY f.id LIMIT $3`,
  ],
  [
    'gradings_received',
    `SELECT g.id, g.submission_id, g.rating, g.comment, g.graded_at, g.reason, ${selectionColumns('g')}
     FROM submissions s JOIN gradings g ON g.submission_id = s.id
     WHERE s.student_id = $1 AND g.id > $2 ORDER BY g.id LIMIT $3`,
  ],
  [
    'gradings_made',
    `SELECT id, submission_id, rating, comment, graded_at, reason, ${selectionColumns('g')} FROM gradings g
     WHERE graded_by = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ],
  [
    'annotations',
    annotationsOn(`submissions s JOIN submission_files sf ON sf.submission_id = s.id AND s.student_id = $1
      JOIN annotations a ON a.file_id = sf.file_id`),
  ],
];

const files = `
  SELECT ${fileColumns}, s.class_id AS "itemId", c.title AS "itemTitle", sf.submitted_at AS "submittedAt"
  FROM submissions s JOIN classes c USING (class_id)
    JOIN submission_files sf ON sf.submission_id = s.id JOIN files f ON f.id = sf.file_id
  WHERE s.student_id = $1 AND f.id > $2 AND f.removed_at IS NULL AND f.reduced_at IS NULL ORDER BY f.id LIMIT $3`;

const detachFiles = `
  DELETE FROM submission_files WHERE submission_id = ANY($1) RETURNING file_id AS "fileId"`;

/** The personal data in homework's tables. */
export const personalData: PersonalSubmissions = {
  records,
  files,
  erase: (sequelize, person, transaction) =>
    eraseSubmissions(sequelize, person, { grade: 'rating', detachFiles: [detachFiles] }, transaction),
};
