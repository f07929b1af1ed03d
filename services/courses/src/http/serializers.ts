import type { Clock } from '@gradeway/shared/http/timestamps';
import type { CourseStudent } from '../data/studentRepository.ts';
import type { Class } from '../domain/class.ts';
import type { Course } from '../domain/course.ts';
import type { GradebookGrade, GradebookRow } from '../domain/grade.ts';

export function courseView({ id, title, description, createdAt }: Course, clock: Clock) {
  return { id, title, description, created_at: clock.format(createdAt) };
}

export function classView({ id, courseId, title, createdAt }: Class, clock: Clock) {
  return { id, course_id: courseId, title, created_at: clock.format(createdAt) };
}

/** The course student object of the specification. Its email is always a string (D33). */
export function courseStudentView({ id, name, email }: CourseStudent) {
  return { id, name, email: email ?? '' };
}

export function gradebookRowView(row: GradebookRow, clock: Clock) {
  return {
    student_id: row.studentId,
    student_name: row.studentName,
    student_email: row.studentEmail,
    grades: row.grades.map(({ kind, itemId, title, grade, totalGrade, gradedAt }) => ({
      kind,
      item_id: itemId,
      title,
      grade,
      total_grade: totalGrade,
      graded_at: clock.format(gradedAt),
    })),
  };
}

/** A grade in a student's list. */
export function ownGradeView(own: GradebookGrade, clock: Clock) {
  const { kind, title, courseId, grade, totalGrade, gradedAt } = own;
  return {
    kind,
    title,
    course_id: courseId,
    grade,
    total_grade: totalGrade,
    graded_at: clock.format(gradedAt),
  };
}
