import type { CoursesServiceClient } from '@gradeway/proto/courses';
import type { GrpcClient } from '../grpc/client.ts';

/**
 * Looks up teaching assignments in courses for each request, so that a removed instructor is rejected on the next
 * request. Calls throw AppError `unavailable` if courses is unreachable. Administrators can grade every course and need
 * no lookup.
 */
export function teachingClient(client: GrpcClient<CoursesServiceClient>) {
  return {
    /** Whether a user is an instructor of an existing course. */
    async teaches(userId: number, courseId: number): Promise<boolean> {
      return (await client.call('checkTeaching', { userId, courseId })).teaches;
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
