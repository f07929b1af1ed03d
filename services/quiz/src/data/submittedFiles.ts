import { selectRows } from '@gradeway/shared/database/connection';
import type { SubmittedFile } from '@gradeway/shared/files/streamSubmissions';
import type { Sequelize } from 'sequelize';

// Goes on after the last submission of the page before, along the index submissions_of_course.
const nextOfCourse = `
  SELECT s.quiz_id AS "itemId", q.title AS "itemTitle", s.id AS "submissionId", s.student_id AS "studentId",
    CASE WHEN NOT p.is_deleted THEN concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, '')) END AS "studentName",
    CASE WHEN NOT p.is_deleted THEN nullif(p.email, '') END AS "studentEmail",
    s.submitted_at AS "submittedAt", s.grade::float8 AS grade, s.total_grade::float8 AS "totalGrade",
    f.id, f.key, f.name, f.size::float8 AS size, f.sha256, f.crc32::float8 AS crc32
  FROM submissions s JOIN quizzes q ON q.id = s.quiz_id
    LEFT JOIN files f ON f.id = s.file_id
    LEFT JOIN people p ON p.user_id = s.student_id
  WHERE s.course_id = $1 AND (s.quiz_id, s.student_id) > ($2, $3)
  ORDER BY s.quiz_id, s.student_id LIMIT $4`;

const pageSize = 200;

type Row = SubmittedFile | (Omit<SubmittedFile, 'id'> & { id: null });

/** The present answer sheets of a course, also those for deleted quizzes, by quiz and student; a page at a time. */
export async function* submittedFiles(sequelize: Sequelize, courseId: number): AsyncGenerator<SubmittedFile> {
  for (let last = { itemId: 0, studentId: 0 }; ; ) {
    const bind = [courseId, last.itemId, last.studentId, pageSize];
    const rows = await selectRows<Row>(sequelize, nextOfCourse, bind);
    for (const row of rows) if (row.id !== null) yield row;
    const end = rows.at(-1);
    if (!end || rows.length < pageSize) return;
    last = end;
  }
}
