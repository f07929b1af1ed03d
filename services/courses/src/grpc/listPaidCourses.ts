import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpcServer';
import type { RpcParts } from './parts.ts';

/** The courses in which a user is enrolled and has paid. */
export const listPaidCourses =
  ({ enrollments }: RpcParts): Rpcs<CoursesServiceHandlers>['ListPaidCourses'] =>
  async ({ userId }) => ({ courseIds: await enrollments.paidCourses(userId) });
