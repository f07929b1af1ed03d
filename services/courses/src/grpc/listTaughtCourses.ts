import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

const pageSize = 1_000;

/** Returns one page of the courses that a user teaches. */
export const listTaughtCourses =
  ({ instructors }: RpcDependencies): Rpcs<CoursesServiceHandlers>['ListTaughtCourses'] =>
  async ({ userId, afterCourseId }) => {
    // Reads one more than a page, to find out whether there is another page.
    const courseIds = await instructors.taughtCourseIds(userId, afterCourseId, pageSize + 1);
    return { courseIds: courseIds.slice(0, pageSize), more: courseIds.length > pageSize };
  };
