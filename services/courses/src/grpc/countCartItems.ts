import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/** The number of courses in which a user is enrolled but has not paid (D14). */
export const countCartItems =
  ({ enrollments }: RpcDependencies): Rpcs<CoursesServiceHandlers>['CountCartItems'] =>
  async ({ userId }) => ({ count: await enrollments.countUnpaid(userId) });
