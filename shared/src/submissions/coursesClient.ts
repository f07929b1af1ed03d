import {
  type Access,
  CoursesService,
  type ListStudentsRequest,
  type ListStudentsResponse,
} from '@gradeway/proto/courses';
import type { ServiceSecret } from '../config/serviceKeys.ts';
import { createGrpcClient } from '../grpc/client.ts';
import { teachingClient } from '../teaching/teachingClient.ts';

interface Options {
  caller: 'homework' | 'quiz';
  address: string;
  secret: ServiceSecret;
}

/** A course that exists. `revision` increases with each change. */
export interface ExistingCourse {
  id: number;
  title: string;
  revision: number;
}

/** A class that exists. */
export interface ExistingClass extends ExistingCourse {
  courseId: number;
  createdAt: Date;
}

type OptionalFields = 'afterUserId' | 'onlyGroup';

/** The students of a course to list, and the groups to count (courses.proto). */
export type StudentsRequest = Omit<ListStudentsRequest, OptionalFields> & {
  [Field in OptionalFields]: number | undefined;
};

export type StudentsPage = ListStudentsResponse;

interface AccessRequest {
  userId: number;
  courseId: number;
  classId: number | null;
}

/**
 * Calls to courses from a service that stores submissions. They throw AppError `unavailable` if courses is unreachable
 * (D30).
 */
export function connectCourses({ caller, address, secret }: Options) {
  const client = createGrpcClient(CoursesService, { address, secret, caller, callee: 'courses' });

  /** Returns the courses that exist. At most 1,000 ids. */
  async function courses(courseIds: number[]): Promise<ExistingCourse[]> {
    const found = await client.call('getCourses', { courseIds });
    return found.courses.map(({ courseId, title, revision }) => ({ id: courseId, title, revision }));
  }

  return {
    ...teachingClient(client),
    courses,
    /** Returns the classes that exist. At most 1,000 ids. */
    async classes(classIds: number[]): Promise<ExistingClass[]> {
      const { classes } = await client.call('getClasses', { classIds });
      return classes.map(({ classId, courseId, title, createdAt, revision }) => {
        const createdMs = (createdAt?.seconds ?? 0) * 1000 + (createdAt?.nanos ?? 0) / 1e6;
        return { id: classId, courseId, title, revision, createdAt: new Date(createdMs) };
      });
    },
    /** Returns the titles of the courses that exist. At most 1,000 ids. */
    titles: async (courseIds: number[]): Promise<Map<number, string>> =>
      new Map((await courses(courseIds)).map(({ id, title }) => [id, title])),
    /** Returns whether the course and the class exist, and whether the user is enrolled and has paid. */
    checkAccess: ({ userId, courseId, classId }: AccessRequest) =>
      client.call('checkAccess', {
        ...{ userId, courseId },
        ...(classId === null ? {} : { classId }),
      }) as Promise<Access>,
    /**
     * Returns the ids of the courses in which a user is enrolled and has paid, and the time factors of the user's quiz
     * attempts that differ from 1.
     */
    async paidCourses(userId: number): Promise<{ courseIds: number[]; timeFactors: Map<number, number> }> {
      const { courseIds, accommodations } = await client.call('listPaidCourses', { userId });
      const factors = accommodations.map((each) => [each.courseId, timeFactorOf(each)] as const);
      return { courseIds, timeFactors: new Map(factors) };
    },
    /** Counts the paid enrollments of a course. */
    countStudents: async (courseId: number): Promise<number> =>
      (await client.call('listStudents', { courseId, limit: 1 })).total,
    /** Returns which of these users are enrolled in a course, paid or not. At most 1,000 ids. */
    enrolledUsers: async (courseId: number, userIds: number[]): Promise<number[]> =>
      (await client.call('getEnrollments', { courseId, userIds })).enrolledUserIds,
    /** Returns a page of the paid enrollments of a course, by last name, first name and id. */
    students: ({ afterUserId, onlyGroup, ...request }: StudentsRequest): Promise<StudentsPage> =>
      client.call('listStudents', {
        ...request,
        ...(afterUserId === undefined ? {} : { afterUserId }),
        ...(onlyGroup === undefined ? {} : { onlyGroup }),
      }),
    close: () => client.close(),
  };
}

/** The factor by which quiz attempts are extended. A previous version of courses sends no percentage. */
export const timeFactorOf = ({ timePercent }: { timePercent: number }): number => (timePercent || 100) / 100;

export type CoursesClient = ReturnType<typeof connectCourses>;
