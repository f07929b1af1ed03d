import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/**
 * Returns the courses that a user is enrolled in and has paid for, and those in which the user's quiz attempts are
 * extended.
 */
export const listPaidCourses =
  ({ enrollments }: RpcDependencies): Rpcs<CoursesServiceHandlers>['ListPaidCourses'] =>
  async ({ userId }) => {
    const courses = await enrollments.paidCourses(userId);
    return {
      courseIds: courses.map(({ courseId }) => courseId),
      accommodations: courses.filter(({ timePercent }) => timePercent > 0),
    };
  };
