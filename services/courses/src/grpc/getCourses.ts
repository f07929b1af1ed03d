import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import { requireBatch } from './batch.ts';
import type { RpcDependencies } from './dependencies.ts';

/** Courses by their ids. Deleted and unknown ones are left out. */
export const getCourses =
  ({ courses }: RpcDependencies): Rpcs<CoursesServiceHandlers>['GetCourses'] =>
  async ({ courseIds }) => {
    requireBatch('course ids', courseIds);
    const found = await courses.withIds(courseIds);
    return { courses: found.map(({ id, title, revision }) => ({ courseId: id, title, revision })) };
  };
