import { type Access, type Class, type Course, CoursesService } from '@gradeway/proto/courses';
import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { teachingClient } from '@gradeway/shared/teaching/teachingClient';
import type { ClassProjection, CourseProjection } from '../domain/classProjection.ts';

interface Options {
  address: string;
  secret: ServiceSecret;
}

/** Calls from homework to courses. They throw AppError `unavailable` when courses is unreachable (D30). */
export function connectCourses({ address, secret }: Options) {
  const client = createGrpcClient(CoursesService, { address, secret, caller: 'homework', callee: 'courses' });
  return {
    checkAccess({ userId, courseId, classId }: { userId: number; courseId: number; classId: number }) {
      return client.call('checkAccess', { userId, courseId, classId }) as Promise<Access>;
    },
    async paidCourses(userId: number): Promise<number[]> {
      return (await client.call('listPaidCourses', { userId })).courseIds;
    },
    /** Returns the classes that exist. At most 1,000 ids. */
    async classes(classIds: number[]): Promise<ClassProjection[]> {
      return (await client.call('getClasses', { classIds })).classes.map(toClass);
    },
    /** Returns the courses that exist. At most 1,000 ids. */
    async courses(courseIds: number[]): Promise<CourseProjection[]> {
      return (await client.call('getCourses', { courseIds })).courses.map(toCourse);
    },
    ...teachingClient(client),
    /** Returns the titles of the courses that exist. At most 1,000 ids. */
    async titles(courseIds: number[]): Promise<Map<number, string>> {
      const { courses } = await client.call('getCourses', { courseIds });
      return new Map(courses.map(({ courseId, title }) => [courseId, title]));
    },
    close: () => client.close(),
  };
}

export type CoursesClient = ReturnType<typeof connectCourses>;

const toClass = ({ classId, courseId, title, createdAt, revision }: Class): ClassProjection => ({
  id: classId,
  courseId,
  title,
  createdAt: new Date((createdAt?.seconds ?? 0) * 1000 + (createdAt?.nanos ?? 0) / 1e6),
  isDeleted: false,
  revision,
});

const toCourse = ({ courseId, title, revision }: Course): CourseProjection => ({
  id: courseId,
  title,
  isDeleted: false,
  revision,
});
