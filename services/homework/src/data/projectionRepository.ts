import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { ClassProjection, CourseProjection } from '../domain/classProjection.ts';

// An older state never overwrites a newer one, whether it comes from an event or from a response from courses.
const upsertClass = `
  INSERT INTO classes (class_id, course_id, title, created_at, is_deleted, revision)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (class_id) DO UPDATE SET
    course_id = excluded.course_id, title = excluded.title, created_at = excluded.created_at,
    is_deleted = excluded.is_deleted, revision = excluded.revision
  WHERE classes.revision < excluded.revision`;

const upsertCourse = `
  INSERT INTO courses (course_id, title, is_deleted, revision) VALUES ($1, $2, $3, $4)
  ON CONFLICT (course_id) DO UPDATE SET
    title = excluded.title, is_deleted = excluded.is_deleted, revision = excluded.revision
  WHERE courses.revision < excluded.revision`;

// Courses returns no revision for deleted records. Deletion is final, so the deletion mark needs no revision.
const markClassesDeleted = 'UPDATE classes SET is_deleted = true WHERE class_id = ANY($1) AND NOT is_deleted';

// A course that is not projected yet gets a row with revision 0, older than any of its events.
const markCoursesDeleted = `
  INSERT INTO courses (course_id, title, is_deleted, revision)
  SELECT course_id, '', true, 0 FROM unnest($1::integer[]) AS gone (course_id)
  ON CONFLICT (course_id) DO UPDATE SET is_deleted = true`;

const classIds = 'SELECT class_id AS id FROM classes ORDER BY class_id';
const courseIds = 'SELECT course_id AS id FROM classes UNION SELECT course_id FROM courses ORDER BY 1';

/**
 * The projections of classes and courses: loaded when an assignment first refers to a class, and updated by the events
 * of courses, which cover every class and course.
 */
export class ProjectionRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async upsertClasses(classes: ClassProjection[], transaction: Transaction | null = null): Promise<void> {
    for (const { id, courseId, title, createdAt, isDeleted, revision } of classes) {
      const values = [id, courseId, title, createdAt, isDeleted, revision];
      await query(this.#db, { sql: upsertClass, values, transaction });
    }
  }

  async upsertCourses(courses: CourseProjection[], transaction: Transaction | null = null): Promise<void> {
    for (const { id, title, isDeleted, revision } of courses)
      await query(this.#db, { sql: upsertCourse, values: [id, title, isDeleted, revision], transaction });
  }

  async markClassesDeleted(ids: number[]): Promise<void> {
    await query(this.#db, { sql: markClassesDeleted, values: [ids] });
  }

  async markCoursesDeleted(ids: number[]): Promise<void> {
    await query(this.#db, { sql: markCoursesDeleted, values: [ids] });
  }

  classIds(): Promise<number[]> {
    return this.#ids(classIds);
  }

  /** Every course that is projected or that a projected class refers to. */
  courseIds(): Promise<number[]> {
    return this.#ids(courseIds);
  }

  async #ids(sql: string): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, { sql });
    return rows.map(({ id }) => id);
  }
}
