import type { ListReads } from '@gradeway/shared/database/listReads';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Work } from '@gradeway/shared/items/assessWork';
import type { Grade } from '../../domain/grade.ts';
import { gradeTitle, isHidden, joinItem } from './itemState.ts';

/** A visible grade in the student's list. */
export type OwnGrade = Pick<Grade, 'kind' | 'title' | 'courseId' | 'grade' | 'totalGrade' | 'gradedAt'> &
  Work;

const visible = `FROM grades g ${joinItem} WHERE g.student_id = $1 AND g.grade IS NOT NULL AND NOT ${isHidden}`;
const count = `SELECT count(*)::int AS total ${visible}`;
const page = `
  SELECT g.kind, ${gradeTitle} AS title, g.course_id AS "courseId", g.grade::float8 AS grade,
    g.total_grade::float8 AS "totalGrade", g.graded_at AS "gradedAt", i.closes_at AS "closesAt", i.late,
    s.submitted_at AS "submittedAt", s.late_waived AS "isLateWaived", a.closes_at AS "allowedUntil"
  FROM grades g ${joinItem}
    LEFT JOIN gradebook_submissions s ON s.kind = g.kind AND s.submission_id = g.submission_id
    LEFT JOIN gradebook_allowances a
      ON a.student_id = g.student_id AND a.kind = g.kind AND a.item_id = g.item_id
  WHERE g.student_id = $1 AND g.grade IS NOT NULL AND NOT ${isHidden}
  ORDER BY g.graded_at DESC, g.kind, g.submission_id LIMIT $2 OFFSET $3`;

/** Lists the grades that students see. */
export class OwnGradeRepository {
  readonly #lists: ListReads;

  constructor(lists: ListReads) {
    this.#lists = lists;
  }

  /** Returns one page of a student's own grades, newest first. */
  async page(studentId: number, { number, size }: Page): Promise<{ grades: OwnGrade[]; total: number }> {
    return this.#lists.read(async (select) => {
      const [counted] = await select<{ total: number }>({
        name: 'number of grades',
        sql: count,
        values: [studentId],
      });
      const total = counted?.total ?? 0;
      const offset = offsetOf({ number, size }, total);
      if (offset === undefined) return { grades: [], total };
      const values = [studentId, size, offset];
      return { grades: await select<OwnGrade>({ name: 'grades of a student', sql: page, values }), total };
    });
  }
}
