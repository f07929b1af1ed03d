import type { CoursesServiceHandlers } from '@gradeway/proto/courses';
import type { Rpcs } from '@gradeway/shared/grpc/server';
import type { Class } from '../domain/class.ts';
import { requireBatch } from './batch.ts';
import type { RpcDependencies } from './dependencies.ts';

/** Classes by their ids. Deleted and unknown ones are left out; those of a deleted course are not. */
export const getClasses =
  ({ classes }: RpcDependencies): Rpcs<CoursesServiceHandlers>['GetClasses'] =>
  async ({ classIds }) => {
    requireBatch('class ids', classIds);
    return { classes: (await classes.withIds(classIds)).map(toMessage) };
  };

function toMessage({ id, courseId, title, createdAt, revision }: Class) {
  return { classId: id, courseId, title, createdAt: toTimestamp(createdAt), revision };
}

function toTimestamp(time: Date) {
  const ms = time.getTime();
  return { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 };
}
