import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/** The courses in which a user is enrolled and has paid. */
export const listPaidCourses =
  ({ enrollments }: RpcDependencies): Rpcs<CoursesServiceHandlers>['ListPaidCourses'] =>
  async ({ userId }) => ({ courseIds: await enrollments.paidCourseIds(userId) });
