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
  async function* peopleInPages(courseId: number): AsyncGenerator<number[]> {
    for (let afterUserId = 0; ; ) {
      const { userIds, more } = await client.call('listCoursePeople', { courseId, afterUserId });
      yield userIds;
      const last = userIds.at(-1);
      if (!more || last === undefined) return;
      afterUserId = last;
    }
  }

  return {
    async countCartItems(userId: number): Promise<number> {
      return (await client.call('countCartItems', { userId }, { timeoutMs })).count;
    },
    /** Whether a user is the teacher of a course. Administrators are, without being assigned. */
    async isTeacher(userId: number): Promise<boolean> {
      return (await client.call('checkTeacher', { userId })).isTeacher;
    },
    /** The ids of the students and instructors of these courses, in no particular order. */
    async peopleOf(courseIds: number[]): Promise<number[]> {
      const people = new Set<number>();
      for (const courseId of courseIds)
        for await (const userIds of peopleInPages(courseId)) for (const userId of userIds) people.add(userId);
      return [...people];
    },
    /** Whether a user is a student or an instructor of one of these courses. */
    async isPersonOf(courseIds: Iterable<number>, userId: number): Promise<boolean> {
      return (await client.call('checkCoursePerson', { userId, courseIds: [...courseIds] })).isPerson;
    },
    close: () => client.close(),
  };
}

export type CoursesClient = ReturnType<typeof connectCourses>;
