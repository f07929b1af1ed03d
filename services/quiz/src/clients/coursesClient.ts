import { type Access, CoursesService } from '@gradeway/proto/courses';
import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { teachingClient } from '@gradeway/shared/teaching/teachingClient';

interface Options {
  address: string;
  secret: ServiceSecret;
}

/** Calls from quiz to courses. They throw AppError `unavailable` when courses is unreachable (D30). */
export function connectCourses({ address, secret }: Options) {
  const client = createGrpcClient(CoursesService, { address, secret, caller: 'quiz', callee: 'courses' });
  return {
    checkAccess({ userId, courseId, classId }: { userId: number; courseId: number; classId: number | null }) {
      return client.call('checkAccess', {
        userId,
        courseId,
        ...(classId === null ? {} : { classId }),
      }) as Promise<Access>;
    },
    async exists(courseId: number): Promise<boolean> {
      const { courses } = await client.call('getCourses', { courseIds: [courseId] });
      return courses.length === 1;
    },
    /** Returns the courses that exist. At most 1,000 ids. */
    async existing(courseIds: number[]): Promise<{ courseId: number }[]> {
      return (await client.call('getCourses', { courseIds })).courses;
    },
    /** Returns the titles of the courses that exist. At most 1,000 ids. */
    async titles(courseIds: number[]): Promise<Map<number, string>> {
      const { courses } = await client.call('getCourses', { courseIds });
      return new Map(courses.map(({ courseId, title }) => [courseId, title]));
    },
    async paidCourses(userId: number): Promise<number[]> {
      return (await client.call('listPaidCourses', { userId })).courseIds;
    },
    ...teachingClient(client),
    close: () => client.close(),
  };
}

export type CoursesClient = ReturnType<typeof connectCourses>;
