import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/** Whether a user may work in a course (D25). Never cached. */
export const checkAccess =
  ({ enrollments }: RpcDependencies): Rpcs<CoursesServiceHandlers>['CheckAccess'] =>
  ({ userId, courseId, classId }) =>
    enrollments.checkAccess(userId, courseId, classId ?? null);
