import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { RpcDependencies } from './dependencies.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';

/** Returns courses by id, omitting deleted and unknown ones. */
export const getCourses =
  ({ courses }: RpcDependencies): Rpcs<CoursesServiceHandlers>['GetCourses'] =>
  async ({ courseIds }) => {
    requireBatchLimit('course ids', courseIds);
    const found = await courses.findByIds(courseIds);
    return { courses: found.map(({ id, title, revision }) => ({ courseId: id, title, revision })) };
  };
