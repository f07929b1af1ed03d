import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';

/** Returns which users are enrolled in a course, paid or not. */
export const getEnrollments =
  ({ enrollments }: RpcDependencies): Rpcs<CoursesServiceHandlers>['GetEnrollments'] =>
  async ({ courseId, userIds }) => {
    requireBatchLimit('users', userIds);
    return { enrolledUserIds: await enrollments.enrolledOf(courseId, userIds) };
  };
