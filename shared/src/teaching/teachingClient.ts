import type { CoursesServiceClient } from '@gradeway/proto/courses';
import type { GrpcClient } from '../grpc/client.ts';

/** A teacher runs a course; a grader only grades in it. */
export type CourseRole = 'teacher' | 'grader';

/**
 * Looks up teaching assignments in courses for each request, so that a removed instructor is rejected on the next
 * request. Calls throw AppError `unavailable` if courses is unreachable. Administrators are teachers of every course and
 * need no lookup.
 */
export function teachingClient(client: GrpcClient<CoursesServiceClient>) {
  return {
    /** The role of a user in an existing course; undefined for a user who is not an instructor of it. */
    async roleIn(userId: number, courseId: number): Promise<CourseRole | undefined> {
      const { teaches, isGrader } = await client.call('checkTeaching', { userId, courseId });
      if (!teaches) return undefined;
      return isGrader ? 'grader' : 'teacher';
    },

    /** The ids of the existing courses that a user is an instructor of, in ascending order. */
    async taughtCourses(userId: number): Promise<number[]> {
      const taught: number[] = [];
      for (;;) {
        const request = { userId, afterCourseId: taught.at(-1) ?? 0 };
        const { courseIds, more } = await client.call('listTaughtCourses', request);
        taught.push(...courseIds);
        if (!more || courseIds.length === 0) return taught;
      }
    },
  };
}
