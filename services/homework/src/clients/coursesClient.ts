import { type Access, type Class, type Course, CoursesService } from '@gradeway/proto/courses';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import type { ProjectedClass, ProjectedCourse } from '../domain/classProjection.ts';

interface Options {
  address: string;
  secret: string;
}

/** What homework asks of courses. Every answer is of this moment; out of reach is AppError `unavailable` (D30). */
export function connectCourses({ address, secret }: Options) {
  const client = createGrpcClient(CoursesService, { address, secret, caller: 'homework', callee: 'courses' });
  return {
    checkAccess({ userId, courseId, classId }: { userId: number; courseId: number; classId: number }) {
      return client.call('checkAccess', { userId, courseId, classId }) as Promise<Access>;
    },
    async paidCourses(userId: number): Promise<number[]> {
      return (await client.call('listPaidCourses', { userId })).courseIds;
    },
    /** Those of these classes that exist; at most 1,000 at once. */
    async classes(classIds: number[]): Promise<ProjectedClass[]> {
      return (await client.call('getClasses', { classIds })).classes.map(toClass);
    },
    /** Those of these courses that exist; at most 1,000 at once. */
    async courses(courseIds: number[]): Promise<ProjectedCourse[]> {
      return (await client.call('getCourses', { courseIds })).courses.map(toCourse);
    },
    close: () => client.close(),
  };
}

export type CoursesClient = ReturnType<typeof connectCourses>;

const toClass = ({ classId, courseId, title, createdAt, revision }: Class): ProjectedClass => ({
  id: classId,
  ...{ courseId, title, revision },
  createdAt: new Date((createdAt?.seconds ?? 0) * 1000 + (createdAt?.nanos ?? 0) / 1e6),
  isDeleted: false,
});

const toCourse = ({ courseId, title, revision }: Course): ProjectedCourse => ({
  id: courseId,
  ...{ title, revision },
  isDeleted: false,
});
