import { query } from '@gradeway/shared/database/query';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type {
  Grade,
  Gradebook,
  GradebookGrade,
  GradebookRow,
  GradebookStudent,
  WithdrawnGrade,
} from '../domain/grade.ts';
import { gradeTitle, isAnonymous, isHidden, joinItem } from '../gradebook/data/itemState.ts';

// An older revision never overwrites a newer one, regardless of the order of events. An equal revision does overwrite
// it if it was published again with a newer state of its item. Students with a new grade are added to the gradebook. A
// withdrawn grade is stored as null.
const record = `
  WITH given AS (
    SELECT DISTINCT ON (kind, "submissionId") *
    FROM jsonb_to_recordset($1::jsonb) AS each (
      kind text, "submissionId" integer, "courseId" integer, "studentId" integer, "itemId" integer, title text,
      grade numeric, "totalGrade" numeric, "gradedAt" timestamptz, revision integer, "visibleFrom" timestamptz,
      "itemRevision" integer)
    ORDER BY kind, "submissionId", revision DESC, "itemRevision" DESC NULLS LAST),
  written AS (
    INSERT INTO grades
      (kind, submission_id, course_id, student_id, item_id, title, grade, total_grade, graded_at, revision,
        visible_from, item_revision)
    SELECT kind, "submissionId", "courseId", "studentId", "itemId", title, grade, "totalGrade", "gradedAt", revision,
      "visibleFrom", "itemRevision"
    FROM given
    ON CONFLICT (kind, submission_id) DO UPDATE SET
      course_id = excluded.course_id, student_id = excluded.student_id, item_id = excluded.item_id,
      title = excluded.title, grade = excluded.grade, total_grade = excluded.total_grade,
      graded_at = excluded.graded_at, revision = excluded.revision, visible_from = excluded.visible_from,
      item_revision = excluded.item_revision
    WHERE grades.revision < excluded.revision
      OR (grades.revision = excluded.revision AND coalesce(grades.item_revision, -1) < excluded.item_revision)
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

const ofStudents = `
  SELECT g.kind, g.submission_id AS "submissionId", g.course_id AS "courseId", g.student_id AS "studentId",
    g.item_id AS "itemId", ${gradeTitle} AS title, g.grade::float8 AS grade, g.total_grade::float8 AS "totalGrade",
    g.graded_at AS "gradedAt", ${isHidden} AS "isHidden"
  FROM grades g ${joinItem}
  WHERE g.course_id = $1 AND g.student_id = ANY($2) AND g.grade IS NOT NULL AND NOT ($3 AND ${isAnonymous})
  ORDER BY g.graded_at, g.kind, g.submission_id`;

const name = `
  CASE WHEN NOT is_nameless THEN concat_ws(' ', nullif(first_name, ''), nullif(last_name, '')) END`;
const student = `user_id AS "studentId", ${name} AS "studentName", email AS "studentEmail"`;
const inGradebook = 'FROM roster WHERE course_id = $1 AND (is_enrolled OR is_graded)';
const order = 'is_nameless, last_name_key, first_name_key, user_id';

const pageOfGradebook = `SELECT ${student} ${inGradebook} ORDER BY ${order} LIMIT $2 OFFSET $3`;
const countGradebook = `SELECT count(*)::int AS total ${inGradebook}`;

// Keyset pagination: continues after the last row of the previous batch instead of skipping an offset.
const nextOf = (students: string) => `
  SELECT ${student}, is_nameless AS "isNameless", last_name_key AS "lastNameKey", first_name_key AS "firstNameKey"
  ${students} AND (${order}) > ($2, $3, $4, $5)
  ORDER BY ${order} LIMIT $6`;
const nextStudents = nextOf(inGradebook);
const nextGraded = nextOf(`${inGradebook} AND is_graded`);

type Keyset = { isNameless: boolean; lastNameKey: string; firstNameKey: string; studentId: number };
const firstKeyset: Keyset = { isNameless: false, lastNameKey: '', firstNameKey: '', studentId: 0 };

/** Stores grades, and lists a course's gradebook: all students who are enrolled or have a grade. */
export class GradeRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
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

  /** Returns one page of a course's gradebook by last name, first name and id. Deleted accounts come last. */
  async pageOfCourse(gradebook: Gradebook, page: Page): Promise<{ rows: GradebookRow[]; total: number }> {
    const { students, total } = await this.pageOfStudents(gradebook.courseId, page);
    return { rows: await this.#withGrades(gradebook, students), total };
  }

  /** Returns one page of the students in a course's gradebook, in the same order. */
  async pageOfStudents(
    courseId: number,
    page: Page,
  ): Promise<{ students: GradebookStudent[]; total: number }> {
    const [counted] = await query<{ total: number }>(this.#db, { sql: countGradebook, values: [courseId] });
    const total = counted?.total ?? 0;
    const offset = offsetOf(page, total);
    if (offset === undefined) return { students: [], total };
    const values = [courseId, page.size, offset];
    return { students: await query<GradebookStudent>(this.#db, { sql: pageOfGradebook, values }), total };
  }

  /** Yields all graded students of the gradebook in the same order, in batches of `size`. */
  async *batchesOfGraded(gradebook: Gradebook, size: number): AsyncGenerator<GradebookRow[]> {
    for await (const students of this.#batches(nextGraded, gradebook.courseId, size))
      yield await this.#withGrades(gradebook, students);
  }

  /** Yields all students of the gradebook in the same order, in batches of `size`. */
  batchesOfStudents(courseId: number, size: number): AsyncGenerator<GradebookStudent[]> {
    return this.#batches(nextStudents, courseId, size);
  }

  async *#batches(sql: string, courseId: number, size: number): AsyncGenerator<GradebookStudent[]> {
    for (let after = firstKeyset; ; ) {
      const { isNameless, lastNameKey, firstNameKey, studentId } = after;
      const values = [courseId, isNameless, lastNameKey, firstNameKey, studentId, size];
      const students = await query<GradebookStudent & Keyset>(this.#db, { sql, values });
      if (students.length > 0) yield students;
      const last = students.at(-1);
      if (!last || students.length < size) return;
      after = last;
    }
  }

  async #withGrades(
    { courseId, hidesAnonymous }: Gradebook,
    students: GradebookStudent[],
  ): Promise<GradebookRow[]> {
    const ids = students.map(({ studentId }) => studentId);
    const values = [courseId, ids, hidesAnonymous];
    const grades = await query<GradebookGrade>(this.#db, { sql: ofStudents, values });
    const gradesOf = Map.groupBy(grades, ({ studentId }) => studentId);
    return students.map((each) => ({ ...each, grades: gradesOf.get(each.studentId) ?? [] }));
  }
}
