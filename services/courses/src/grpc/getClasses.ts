import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { Class } from '../domain/class.ts';
import type { RpcDependencies } from './dependencies.ts';
import { requireBatchLimit } from './requireBatchLimit.ts';

/** Returns classes by id, omitting deleted and unknown ones. Includes the classes of deleted courses. */
export const getClasses =
  ({ classes }: RpcDependencies): Rpcs<CoursesServiceHandlers>['GetClasses'] =>
  async ({ classIds }) => {
    requireBatchLimit('class ids', classIds);
    return { classes: (await classes.findByIds(classIds)).map(toMessage) };
  };

function toMessage({ id, courseId, title, createdAt, revision }: Class) {
  return { classId: id, courseId, title, createdAt: toTimestamp(createdAt), revision };
}

function toTimestamp(time: Date) {
  const ms = time.getTime();
  return { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 };
}
