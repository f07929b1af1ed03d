import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/** Whether a user is the teacher of a course. Never cached. */
export const checkTeacher =
  ({ instructors }: RpcDependencies): Rpcs<CoursesServiceHandlers>['CheckTeacher'] =>
  async ({ userId }) => ({ isTeacher: await instructors.isTeacher(userId) });
