import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpcServer';
import { requireBatch } from './batch.ts';
import type { RpcParts } from './parts.ts';

/** Courses by their ids. Deleted and unknown ones are left out. */
export const getCourses =
  ({ courses }: RpcParts): Rpcs<CoursesServiceHandlers>['GetCourses'] =>
  async ({ courseIds }) => {
    requireBatch('course ids', courseIds);
    const found = await courses.withIds(courseIds);
    return { courses: found.map(({ id, title, revision }) => ({ courseId: id, title, revision })) };
  };
