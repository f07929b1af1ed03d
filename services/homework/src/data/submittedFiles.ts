import { selectRows } from '@gradeway/shared/database/connection';
import type { SubmittedFile } from '@gradeway/shared/files/streamSubmissions';
import type { Sequelize } from 'sequelize';

// Deleted classes as well: what was handed in for them stays.
const handedInClasses = `
  SELECT class_id AS "classId" FROM classes c
  WHERE course_id = $1 AND EXISTS (SELECT FROM submissions s WHERE s.class_id = c.class_id)
  ORDER BY class_id`;

// Goes on after the last student of the page before, along the index of submissions_one_per_student.
const nextOfClass = `
  SELECT c.class_id AS "itemId", c.title AS "itemTitle", s.id AS "submissionId", s.student_id AS "studentId",
    CASE WHEN NOT p.is_deleted THEN concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, '')) END AS "studentName",
    CASE WHEN NOT p.is_deleted THEN nullif(p.email, '') END AS "studentEmail",
    s.submitted_at AS "submittedAt", s.rating AS grade, CASE WHEN s.rating IS NOT NULL THEN 10 END AS "totalGrade",
    f.id, f.key, f.name, f.size::float8 AS size, f.sha256, f.crc32::float8 AS crc32
  FROM (SELECT * FROM submissions WHERE class_id = $1 AND student_id > $2 ORDER BY student_id LIMIT $3) AS s
    JOIN classes c USING (class_id)
    LEFT JOIN (submission_files sf JOIN files f ON f.id = sf.file_id)
      ON sf.submission_id = s.id AND sf.replaced_at IS NULL
    LEFT JOIN people p ON p.user_id = s.student_id
  ORDER BY s.student_id, f.id`;

// Students at a time, each with ten files at most.
const pageSize = 100;

type Row = SubmittedFile | (Omit<SubmittedFile, 'id'> & { id: null });

/** The present files of a course's submissions, by class and student; a page at a time. */
export async function* submittedFiles(sequelize: Sequelize, courseId: number): AsyncGenerator<SubmittedFile> {
  const classes = await selectRows<{ classId: number }>(sequelize, handedInClasses, [courseId]);
  for (const { classId } of classes) yield* ofClass(sequelize, classId);
}

async function* ofClass(sequelize: Sequelize, classId: number): AsyncGenerator<SubmittedFile> {
  for (let lastStudent = 0; ; ) {
    const rows = await selectRows<Row>(sequelize, nextOfClass, [classId, lastStudent, pageSize]);
    for (const row of rows) if (row.id !== null) yield row;
    const end = rows.at(-1);
    if (!end) return;
    lastStudent = end.studentId;
  }
}
