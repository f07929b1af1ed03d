import type { Kind } from '../../shared/api/workTypes.ts';
import { momentOf } from '../../shared/time/moment.ts';
import type { Course, Grade, Homework, Lateness, Quiz, QuizSubmission } from '../records/studentTypes.ts';

export interface GradeLine {
  kind: Kind;
  title: string;
  grade: number;
  /** The grade less the penalty for late work. */
  finalGrade: number;
  late: Lateness | null;
  totalGrade: number;
  gradedAt: string;
  /** The graded submission; null if it cannot be identified with certainty. */
  submissionId: number | null;
}

export interface CourseGrades {
  id: number;
  title: string | null;
  grades: GradeLine[];
}

interface Records {
  grades: Grade[];
  courses: Course[];
  quizzes: Quiz[];
  submissions: QuizSubmission[];
  homeworks: Homework[];
}

/** Groups the grades by course title, newest first. Includes courses without grades. */
export function gradesByCourse(records: Records): CourseGrades[] {
  const find = submissionFinder(records);
  const byId = new Map<number, CourseGrades>(
    records.courses.map(({ id, title }) => [id, { id, title, grades: [] }]),
  );
  for (const grade of records.grades) {
    const course = byId.get(grade.course_id) ?? { id: grade.course_id, title: null, grades: [] };
    byId.set(course.id, course);
    const kind = grade.kind === 'quiz' ? 'quizzes' : 'homeworks';
    course.grades.push({
      kind,
      title: grade.title,
      grade: grade.grade,
      // While the services are being updated, a response from the previous version lacks both fields.
      finalGrade: grade.final_grade ?? grade.grade,
      late: grade.late ?? null,
      totalGrade: grade.total_grade,
      gradedAt: grade.graded_at,
      submissionId: find(kind, grade),
    });
  }
  const courses = [...byId.values()];
  for (const { grades } of courses)
    grades.sort((one, other) => Number(momentOf(other.gradedAt)) - Number(momentOf(one.gradedAt)));
  return courses.sort(
    (one, other) =>
      Number(one.grades.length === 0) - Number(other.grades.length === 0) ||
      (one.title ?? '\uffff').localeCompare(other.title ?? '\uffff'),
  );
}

/** Grades have no submission id, so the submission is found by title and course if only one matches. */
function submissionFinder({ quizzes, submissions, homeworks }: Records) {
  const courseOf = new Map(quizzes.map(({ id, course_id }) => [id, course_id]));
  const keyed = [
    ...submissions.map(({ id, quiz_id, quiz_title }) => ({
      key: `quizzes ${courseOf.get(quiz_id)} ${quiz_title}`,
      id,
    })),
    ...homeworks.flatMap(({ course_id, title, submission }) =>
      submission ? [{ key: `homeworks ${course_id} ${title}`, id: submission.id }] : [],
    ),
  ];
  const byKey = Map.groupBy(keyed, ({ key }) => key);
  return (kind: Kind, { course_id, title }: Grade): number | null => {
    const found = byKey.get(`${kind} ${course_id} ${title}`);
    return found?.length === 1 ? (found[0]?.id ?? null) : null;
  };
}
