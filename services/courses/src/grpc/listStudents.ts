import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import { AppError } from '@gradeway/shared/errors/appError';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';

/** Returns one page of the paid enrollments of a course, and counts them by the groups of the caller. */
export const listStudents =
  (_: RpcDependencies): Rpcs<CoursesServiceHandlers>['ListStudents'] =>
  async () => {
    throw new AppError('internal', 'not built yet');
  };
