import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpcServer';
import type { RpcParts } from './parts.ts';

/** Whether a user may work in a course, as of this moment (D25): one query, never cached. */
export const checkAccess =
  ({ enrollments }: RpcParts): Rpcs<CoursesServiceHandlers>['CheckAccess'] =>
  ({ userId, courseId, classId }) =>
    enrollments.access(userId, courseId, classId ?? null);
