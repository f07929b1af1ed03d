import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpcServer';
import type { RpcParts } from './parts.ts';

/** In how many courses a user is enrolled but has not paid (D14). */
export const countCartItems =
  ({ enrollments }: RpcParts): Rpcs<CoursesServiceHandlers>['CountCartItems'] =>
  async ({ userId }) => ({ count: await enrollments.countUnpaid(userId) });
