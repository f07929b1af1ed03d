import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

const pageSize = 10_000;

/** Returns one page of the students and instructors of a course. */
export const listCoursePeople =
  ({ coursePeople }: RpcDependencies): Rpcs<CoursesServiceHandlers>['ListCoursePeople'] =>
  async ({ courseId, afterUserId }) => {
    // Reads one more than a page, to find out whether there is another page.
    const userIds = await coursePeople.after(courseId, afterUserId, pageSize + 1);
    return { userIds: userIds.slice(0, pageSize), more: userIds.length > pageSize };
  };
