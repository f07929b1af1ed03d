import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/** Returns the courses that a user is enrolled in and has paid for. */
export const listPaidCourses =
  ({ enrollments }: RpcDependencies): Rpcs<CoursesServiceHandlers>['ListPaidCourses'] =>
  async ({ userId }) => ({ courseIds: await enrollments.paidCourseIds(userId) });
