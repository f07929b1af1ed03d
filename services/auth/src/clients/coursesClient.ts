import { CoursesService } from '@gradeway/proto/courses';
import { createGrpcClient } from '@gradeway/shared/grpc/client';

interface Options {
  address: string;
  secret: string;
}

// A login does not wait longer for a number beside it (D14).
const patienceMs = 300;

/** What auth asks of courses. Out of reach or slow is AppError `unavailable`. */
export function connectCourses({ address, secret }: Options) {
  const client = createGrpcClient(CoursesService, { address, secret, caller: 'auth', callee: 'courses' });
  return {
    async countCartItems(userId: number): Promise<number> {
      return (await client.call('countCartItems', { userId }, { timeoutMs: patienceMs })).count;
    },
    close: () => client.close(),
  };
}

export type CoursesClient = ReturnType<typeof connectCourses>;
