import { type Clock, formatUtc } from '@gradeway/shared/http/timestamps';
import { assessWork } from '@gradeway/shared/items/assessWork';
import type { Lateness } from '@gradeway/shared/items/lateness';
import type { CourseStudent } from '../data/studentRepository.ts';
import type { Class } from '../domain/class.ts';
import type { Course } from '../domain/course.ts';
import type { GradebookRow } from '../domain/grade.ts';
import type { OwnGrade } from '../gradebook/data/ownGradeRepository.ts';
import type { GridCell, GridItem, GridRow } from '../gradebook/domain/grid.ts';

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
    grades: row.grades.map(({ kind, itemId, title, grade, totalGrade, gradedAt, isHidden }) => ({
      kind,
      item_id: itemId,
      title,
      grade,
      total_grade: totalGrade,
      graded_at: clock.format(gradedAt),
      ...(isHidden && { hidden: true }),
    })),
  };
}

/** A grade in a student's list. */
export function ownGradeView(own: OwnGrade, clock: Clock) {
  const { kind, title, courseId, grade, totalGrade, gradedAt } = own;
  const { late, finalGrade } = assessWork(own);
  return {
    kind,
    title,
    course_id: courseId,
    grade,
    total_grade: totalGrade,
    graded_at: clock.format(gradedAt),
    late: latenessView(late),
    final_grade: finalGrade,
  };
}

/** A column of the grid. Homework is always rated out of 10 (D20). */
export function gridItemView({
  kind,
  itemId,
  title,
  totalGrade,
  closesAt,
  releasedAt,
  mean,
  graded,
}: GridItem) {
  return {
    kind,
    item_id: itemId,
    title,
    total_grade: kind === 'homework' ? 10 : totalGrade,
    closes_at: closesAt && formatUtc(closesAt),
    released_at: releasedAt && formatUtc(releasedAt),
    mean,
    graded,
  };
}

export function gridRowView({ studentId, studentName, studentEmail, cells, ...sums }: GridRow) {
  const { points, possible, percent } = sums;
  const views = cells.map(gridCellView);
  return {
    student_id: studentId,
    name: studentName,
    email: studentEmail,
    cells: views,
    points,
    possible,
    percent,
  };
}

const gridCellView = ({ state, grade, finalGrade, isHidden, late, submissionId }: GridCell) => ({
  state,
  grade,
  final_grade: finalGrade,
  hidden: isHidden,
  late: latenessView(late),
  submission_id: submissionId,
});

const latenessView = (late: Lateness | null) =>
  late && { minutes: late.minutes, penalty_percent: late.penaltyPercent, points: late.points };
