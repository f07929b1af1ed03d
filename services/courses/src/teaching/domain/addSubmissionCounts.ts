import type { SubmissionCount } from '@gradeway/proto/submissions';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import type { GradingCourse } from './gradingCourse.ts';

type Dependencies = Pick<TeachingDependencies, 'submissionCounts'> & Pick<ServiceDependencies, 'log'>;

type Count = Omit<SubmissionCount, 'courseId'>;
type Kind = 'homework' | 'quiz';

/** A course with the submissions of each kind; null if the service that stores them did not respond. */
export interface CountedCourse extends GradingCourse {
  quizzes: Count | null;
  homeworks: Count | null;
}

const none: Count = { submissions: 0, graded: 0 };

/** Adds submission counts to courses, requested from both services concurrently. */
export async function addSubmissionCounts(
  dependencies: Dependencies,
  courses: GradingCourse[],
): Promise<CountedCourse[]> {
  const ids = courses.map(({ id }) => id);
  const [quizzes, homeworks] = await Promise.all([
    countsOf(dependencies, 'quiz', ids),
    countsOf(dependencies, 'homework', ids),
  ]);
  return courses.map((course) => ({
    ...course,
    quizzes: quizzes(course.id),
    homeworks: homeworks(course.id),
  }));
}

/** Gets one service's counts by course. Never throws, because a list without counts is better than an error. */
async function countsOf(
  { submissionCounts, log }: Dependencies,
  kind: Kind,
  courseIds: number[],
): Promise<(courseId: number) => Count | null> {
  if (courseIds.length === 0) return () => none;
  try {
    const counts = await submissionCounts.count(kind, courseIds);
    const byCourse = new Map(counts.map(({ courseId, ...count }) => [courseId, count]));
    return (courseId) => byCourse.get(courseId) ?? none;
  } catch (error) {
    log.warn({ err: error, kind }, 'could not count the submissions of courses');
    return () => null;
  }
}
