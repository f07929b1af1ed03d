import { keysetPages } from '@gradeway/shared/database/keysetPages';
import { query } from '@gradeway/shared/database/query';
import { fileColumns } from '@gradeway/shared/files/fileColumns';
import { userEmail, userName } from '@gradeway/shared/projections/userColumns';
import type { SubmittedFile } from '@gradeway/shared/submissions/streamSubmissions';
import type { Sequelize } from 'sequelize';

// Includes deleted classes: their submissions remain.
const classesWithSubmissions = `
  SELECT class_id AS "classId" FROM classes c
  WHERE course_id = $1 AND EXISTS (SELECT FROM submissions s WHERE s.class_id = c.class_id)
  ORDER BY class_id`;

// Reads in the order of the index submissions_one_per_student. A submission without files is a row without a file id.
const pageAfterStudent = `
  SELECT c.class_id AS "itemId", c.title AS "itemTitle", s.id AS "submissionId", s.student_id AS "studentId",
    ${userName} AS "studentName", ${userEmail} AS "studentEmail", s.submitted_at AS "submittedAt",
    s.rating AS grade, CASE WHEN s.rating IS NOT NULL THEN 10 END AS "totalGrade", ${fileColumns}
  FROM (SELECT * FROM submissions WHERE class_id = $1 AND student_id > $2 ORDER BY student_id LIMIT $3) AS s
    JOIN classes c USING (class_id)
    LEFT JOIN (submission_files sf JOIN files f ON f.id = sf.file_id)
      ON sf.submission_id = s.id AND sf.replaced_at IS NULL
    LEFT JOIN people p ON p.user_id = s.student_id
  ORDER BY s.student_id, f.id`;

const studentsPerPage = 100;

type Row = SubmittedFile | (Omit<SubmittedFile, 'id'> & { id: null });

/** The current files of a course's submissions, by class and student. */
export async function* courseSubmissionFiles(
  sequelize: Sequelize,
  courseId: number,
): AsyncGenerator<SubmittedFile> {
  const classes = await query<{ classId: number }>(sequelize, {
    sql: classesWithSubmissions,
    values: [courseId],
  });
  for (const { classId } of classes) {
    const pages = keysetPages<Row>((last) =>
      query(sequelize, { sql: pageAfterStudent, values: [classId, last?.studentId ?? 0, studentsPerPage] }),
    );
    for await (const page of pages) for (const row of page) if (row.id !== null) yield row;
  }
}
