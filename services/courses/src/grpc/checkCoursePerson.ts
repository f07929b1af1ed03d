import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';

/** Whether a user is a student or an instructor of at least one of these courses. Never cached. */
export const checkCoursePerson =
  ({ coursePeople }: RpcDependencies): Rpcs<CoursesServiceHandlers>['CheckCoursePerson'] =>
  async ({ userId, courseIds }) => {
    requireBatchLimit('course ids', courseIds);
    return { isPerson: await coursePeople.includes(courseIds, userId) };
  };
