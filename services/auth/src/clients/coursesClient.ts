import { CoursesService } from '@gradeway/proto/courses';
import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import { createGrpcClient } from '@gradeway/shared/grpc/client';

interface Options {
  address: string;
  secret: ServiceSecret;
}

// A login waits at most this long for the cart count (D14).
const timeoutMs = 300;

/** The calls that auth makes to courses. They throw AppError `unavailable` if courses is slow or unreachable. */
export function connectCourses({ address, secret }: Options) {
  const client = createGrpcClient(CoursesService, { address, secret, caller: 'auth', callee: 'courses' });
  return {
    async countCartItems(userId: number): Promise<number> {
      return (await client.call('countCartItems', { userId }, { timeoutMs })).count;
    },
    /** Whether a user is the teacher of a course. Administrators are, without being assigned. */
    async isTeacher(userId: number): Promise<boolean> {
      return (await client.call('checkTeacher', { userId })).isTeacher;
    },
    close: () => client.close(),
  };
}

export type CoursesClient = ReturnType<typeof connectCourses>;
