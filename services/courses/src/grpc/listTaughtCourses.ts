import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

const pageSize = 1_000;

/** The courses of which a user is an instructor, a page at a time. */
export const listTaughtCourses =
  ({ instructors }: RpcDependencies): Rpcs<CoursesServiceHandlers>['ListTaughtCourses'] =>
  async ({ userId, afterCourseId }) => {
    // One more than a page shows whether there is another page.
    const courseIds = await instructors.taughtCourseIds(userId, afterCourseId, pageSize + 1);
    return { courseIds: courseIds.slice(0, pageSize), more: courseIds.length > pageSize };
  };
