import { keysetPages } from '@gradeway/shared/database/keysetPages';
import { query } from '@gradeway/shared/database/query';
import { fileColumns } from '@gradeway/shared/files/fileColumns';
import { userEmail, userName } from '@gradeway/shared/projections/userColumns';
import type { SubmittedFile } from '@gradeway/shared/submissions/streamSubmissions';
import type { Sequelize } from 'sequelize';

// Reads along the index submissions_of_course.
const pageAfter = `
  SELECT s.quiz_id AS "itemId", q.title AS "itemTitle", s.id AS "submissionId", s.student_id AS "studentId",
    ${userName} AS "studentName", ${userEmail} AS "studentEmail",
    s.submitted_at AS "submittedAt", s.grade::float8 AS grade, s.total_grade::float8 AS "totalGrade", ${fileColumns}
  FROM submissions s JOIN quizzes q ON q.id = s.quiz_id
    JOIN files f ON f.id = s.file_id
    LEFT JOIN people p ON p.user_id = s.student_id
  WHERE s.course_id = $1 AND (s.quiz_id, s.student_id) > ($2, $3)
  ORDER BY s.quiz_id, s.student_id LIMIT $4`;

const pageSize = 200;

/** The current answer sheets of a course by quiz and student, including those for deleted quizzes. */
export async function* courseSubmissionFiles(
  sequelize: Sequelize,
  courseId: number,
): AsyncGenerator<SubmittedFile> {
  const pages = keysetPages<SubmittedFile>((last) =>
    query(sequelize, {
      sql: pageAfter,
      values: [courseId, last?.itemId ?? 0, last?.studentId ?? 0, pageSize],
    }),
  );
  for await (const page of pages) yield* page;
}
