import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/** Counts the courses that a user is enrolled in but has not paid for (D14). */
export const countCartItems =
  ({ enrollments }: RpcDependencies): Rpcs<CoursesServiceHandlers>['CountCartItems'] =>
  async ({ userId }) => ({ count: await enrollments.countUnpaid(userId) });
