import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/** Whether a user is an instructor of a course, and with which role. Never cached. */
export const checkTeaching =
  ({ instructors }: RpcDependencies): Rpcs<CoursesServiceHandlers>['CheckTeaching'] =>
  async ({ userId, courseId }) => {
    const role = await instructors.roleIn(userId, courseId);
    return { teaches: role !== undefined, isGrader: role === 'grader' };
  };
