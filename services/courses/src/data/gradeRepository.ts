import type { ListReads } from '@gradeway/shared/database/listReads';
import { query } from '@gradeway/shared/database/query';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type {
  Grade,
  GradebookGrade,
  GradebookRow,
  GradebookStudent,
  WithdrawnGrade,
} from '../domain/grade.ts';
import { gradeTitle } from './quizTitles.ts';

// An older revision never overwrites a newer one, whatever the order of the events. Students with a new grade are added
// to the gradebook. A withdrawn grade is stored as null.
const record = `
  WITH given AS (
    SELECT DISTINCT ON (kind, "submissionId") *
    FROM jsonb_to_recordset($1::jsonb) AS each (
      kind text, "submissionId" integer, "courseId" integer, "studentId" integer, "itemId" integer, title text,
      grade numeric, "totalGrade" numeric, "gradedAt" timestamptz, revision integer)
    ORDER BY kind, "submissionId", revision DESC),
  written AS (
    INSERT INTO grades
      (kind, submission_id, course_id, student_id, item_id, title, grade, total_grade, graded_at, revision)
    SELECT kind, "submissionId", "courseId", "studentId", "itemId", title, grade, "totalGrade", "gradedAt", revision
    FROM given
    ON CONFLICT (kind, submission_id) DO UPDATE SET
      course_id = excluded.course_id, student_id = excluded.student_id, item_id = excluded.item_id,
      title = excluded.title, grade = excluded.grade, total_grade = excluded.total_grade,
      graded_at = excluded.graded_at, revision = excluded.revision
    WHERE grades.revision < excluded.revision
    RETURNING course_id, student_id, grade)
  INSERT INTO roster (course_id, user_id, is_graded)
  SELECT DISTINCT course_id, student_id, true FROM written WHERE grade IS NOT NULL ORDER BY 1, 2
  ON CONFLICT (course_id, user_id) DO UPDATE SET is_graded = true
  WHERE NOT roster.is_graded`;

// Students without a remaining grade leave the gradebook. The lock waits for transactions that record a grade, so that
// the next statement sees it.
const withdrawn = '(SELECT * FROM unnest($1::integer[], $2::integer[]))';
const lockWithdrawn = `
  SELECT FROM roster WHERE (course_id, user_id) IN ${withdrawn} ORDER BY course_id, user_id FOR NO KEY UPDATE`;
const leaveGradebook = `
  UPDATE roster r SET is_graded = false
  WHERE (course_id, user_id) IN ${withdrawn} AND NOT EXISTS (
    SELECT FROM grades g WHERE g.course_id = r.course_id AND g.student_id = r.user_id AND g.grade IS NOT NULL)`;

const columns = `
  kind, submission_id AS "submissionId", course_id AS "courseId", student_id AS "studentId", item_id AS "itemId",
  ${gradeTitle} AS title, grade::float8 AS grade, total_grade::float8 AS "totalGrade", graded_at AS "gradedAt"`;

const countOfStudent =
  'SELECT count(*)::int AS total FROM grades WHERE student_id = $1 AND grade IS NOT NULL';
const pageOfStudent = `
  SELECT ${columns} FROM grades WHERE student_id = $1 AND grade IS NOT NULL
  ORDER BY graded_at DESC, kind, submission_id LIMIT $2 OFFSET $3`;

const ofStudents = `
  SELECT ${columns} FROM grades WHERE course_id = $1 AND student_id = ANY($2) AND grade IS NOT NULL
  ORDER BY graded_at, kind, submission_id`;

const name = `
  CASE WHEN NOT is_nameless THEN concat_ws(' ', nullif(first_name, ''), nullif(last_name, '')) END`;
const student = `user_id AS "studentId", ${name} AS "studentName", email AS "studentEmail"`;
const inGradebook = 'FROM roster WHERE course_id = $1 AND (is_enrolled OR is_graded)';
const order = 'is_nameless, last_name_key, first_name_key, user_id';

const pageOfGradebook = `SELECT ${student} ${inGradebook} ORDER BY ${order} LIMIT $2 OFFSET $3`;
const countGradebook = `SELECT count(*)::int AS total ${inGradebook}`;

// Keyset pagination: continues after the last row of the previous batch instead of skipping an offset.
const nextGraded = `
  SELECT ${student}, is_nameless AS "isNameless", last_name_key AS "lastNameKey", first_name_key AS "firstNameKey"
  ${inGradebook} AND is_graded AND (${order}) > ($2, $3, $4, $5)
  ORDER BY ${order} LIMIT $6`;

type Keyset = { isNameless: boolean; lastNameKey: string; firstNameKey: string; studentId: number };
const firstKeyset: Keyset = { isNameless: false, lastNameKey: '', firstNameKey: '', studentId: 0 };

/** Stores grades, and lists a course's gradebook: all students who are enrolled or have a grade. */
export class GradeRepository {
  readonly #db: Sequelize;
  readonly #lists: ListReads;

  constructor(sequelize: Sequelize, lists: ListReads) {
    this.#db = sequelize;
    this.#lists = lists;
  }

  /** Records given and withdrawn grades. If a grade has several revisions, the newest one counts. */
  async record(given: (Grade | WithdrawnGrade)[], transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: record, values: [JSON.stringify(given)], transaction });
    const without = given.filter((each) => !('grade' in each));
    if (without.length === 0) return;
    const values = [without.map(({ courseId }) => courseId), without.map(({ studentId }) => studentId)];
    await query(this.#db, { sql: lockWithdrawn, values, transaction });
    await query(this.#db, { sql: leaveGradebook, values, transaction });
  }

  /** Returns one page of a student's own grades, newest first. */
  async pageOfStudent(studentId: number, page: Page): Promise<{ grades: GradebookGrade[]; total: number }> {
    return this.#lists.read(async (select) => {
      const [counted] = await select<{ total: number }>({
        name: 'number of grades',
        sql: countOfStudent,
        values: [studentId],
      });
      const total = counted?.total ?? 0;
      const offset = offsetOf(page, total);
      if (offset === undefined) return { grades: [], total };
      const values = [studentId, page.size, offset];
      return {
        grades: await select<GradebookGrade>({ name: 'grades of a student', sql: pageOfStudent, values }),
        total,
      };
    });
  }

  /** Returns one page of a course's gradebook by last name, first name and id. Deleted accounts come last. */
  async pageOfCourse(courseId: number, page: Page): Promise<{ rows: GradebookRow[]; total: number }> {
    const [counted] = await query<{ total: number }>(this.#db, { sql: countGradebook, values: [courseId] });
    const total = counted?.total ?? 0;
    const offset = offsetOf(page, total);
    if (offset === undefined) return { rows: [], total };
    const values = [courseId, page.size, offset];
    const students = await query<GradebookStudent>(this.#db, { sql: pageOfGradebook, values });
    return { rows: await this.#withGrades(courseId, students), total };
  }

  /** Yields all graded students of the gradebook in the same order, in batches of `size`. */
  async *batchesOfGraded(courseId: number, size: number): AsyncGenerator<GradebookRow[]> {
    for (let after = firstKeyset; ; ) {
      const { isNameless, lastNameKey, firstNameKey, studentId } = after;
      const values = [courseId, isNameless, lastNameKey, firstNameKey, studentId, size];
      const students = await query<GradebookStudent & Keyset>(this.#db, { sql: nextGraded, values });
      if (students.length > 0) yield await this.#withGrades(courseId, students);
      const last = students.at(-1);
      if (!last || students.length < size) return;
      after = last;
    }
  }

  async #withGrades(courseId: number, students: GradebookStudent[]): Promise<GradebookRow[]> {
    const ids = students.map(({ studentId }) => studentId);
    const grades = await query<GradebookGrade>(this.#db, { sql: ofStudents, values: [courseId, ids] });
    const gradesOf = Map.groupBy(grades, ({ studentId }) => studentId);
    return students.map((each) => ({ ...each, grades: gradesOf.get(each.studentId) ?? [] }));
  }
}
