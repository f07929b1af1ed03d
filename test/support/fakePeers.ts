import { AuthService, type AuthServiceHandlers, type Revocation, type User } from '@gradeway/proto/auth';
import {
  type Class,
  type Course,
  CoursesService,
  type CoursesServiceHandlers,
} from '@gradeway/proto/courses';
import { AppError } from '@gradeway/shared/errors/appError';
import { type GrpcServer, listenGrpc } from '@gradeway/shared/grpc/server';
import { Health } from '@gradeway/shared/process/health';
import { createLogger } from '@gradeway/shared/process/logger';
import { openToAll } from './openToAll.ts';

export const serviceSecret = 'a secret of the tests, long enough';

interface Records {
  users: User[];
  revocations: Revocation[];
  courses: Course[];
  classes: Class[];
  /** The key is `userId/courseId`. */
  enrollments: Map<string, { paid: boolean }>;
  /** The instructors of courses, each as `userId/courseId`. */
  teaching: Set<string>;
}

/** Fakes of auth and courses for tests of a single service: real gRPC servers that respond from these records. */
export interface FakePeers extends Records {
  authGrpc: string;
  coursesGrpc: string;
  stopCourses(): Promise<void>;
  close(): Promise<void>;
}

const common = {
  host: '127.0.0.1',
  port: 0,
  secret: serviceSecret,
  log: createLogger('fake peers', 'silent'),
  health: new Health(),
};

export async function startFakePeers(): Promise<FakePeers> {
  const records: Records = {
    users: [],
    revocations: [],
    courses: [],
    classes: [],
    enrollments: new Map(),
    teaching: new Set(),
  };
  const [auth, courses] = await Promise.all([startAuth(records), startCourses(records)]);
  return {
    ...records,
    authGrpc: `127.0.0.1:${auth.port}`,
    coursesGrpc: `127.0.0.1:${courses.port}`,
    stopCourses: () => courses.close(),
    async close() {
      await Promise.all([auth.close(), courses.close()]);
    },
  };
}

function startAuth({ users, revocations }: Records): Promise<GrpcServer> {
  const unused = async () => {
    throw new AppError('internal', 'tests of imports run the real auth');
  };
  return listenGrpc<AuthServiceHandlers>({
    ...common,
    name: 'auth',
    service: openToAll<AuthServiceHandlers>({
      definition: AuthService.service,
      rpcs: {
        GetUsers: async ({ userIds }) => ({ users: users.filter(({ userId }) => userIds.includes(userId)) }),
        ListRevocations: async ({ cursor }) => ({
          revocations: revocations.slice(Number(cursor || 0)),
          cursor: String(revocations.length),
          more: false,
        }),
        // Like an earlier version of auth, whose clients poll.
        WatchRevocations() {
          throw new AppError('method_not_allowed', 'unimplemented');
        },
        CheckReauthentication: async () => ({ isReauthenticated: false }),
        SignReceipt: async ({ kind, submissionId }) => ({ receipt: `receipt of ${kind} ${submissionId}` }),
        PlanImport: unused,
        FindImportedUsers: unused,
        CompleteImport: unused,
        ReserveImport: unused,
        ReleaseImport: unused,
      },
    }),
  });
}

function startCourses({ courses, classes, enrollments, teaching }: Records): Promise<GrpcServer> {
  const paidCourses = (userId: number) =>
    [...enrollments].flatMap(([key, { paid }]) =>
      key.startsWith(`${userId}/`) && paid ? [Number(key.split('/')[1])] : [],
    );
  const taughtCourses = (userId: number) =>
    [...teaching]
      .flatMap((key) => (key.startsWith(`${userId}/`) ? [Number(key.split('/')[1])] : []))
      .toSorted((one, other) => one - other);
  return listenGrpc<CoursesServiceHandlers>({
    ...common,
    name: 'courses',
    service: openToAll<CoursesServiceHandlers>({
      definition: CoursesService.service,
      rpcs: {
        CheckAccess: async ({ userId, courseId, classId }) => {
          const enrollment = enrollments.get(`${userId}/${courseId}`);
          return {
            courseExists: courses.some((course) => course.courseId === courseId),
            classExists: classes.some((each) => each.classId === classId && each.courseId === courseId),
            enrolled: enrollment !== undefined,
            paid: enrollment?.paid ?? false,
          };
        },
        ListPaidCourses: async ({ userId }) => ({ courseIds: paidCourses(userId) }),
        CheckTeaching: async ({ userId, courseId }) => ({ teaches: teaching.has(`${userId}/${courseId}`) }),
        ListTaughtCourses: async ({ userId, afterCourseId }) => {
          const rest = taughtCourses(userId).filter((courseId) => courseId > afterCourseId);
          return { courseIds: rest.slice(0, 1), more: rest.length > 1 };
        },
        CountCartItems: async () => ({ count: 0 }),
        GetCourses: async ({ courseIds }) => ({
          courses: courses.filter(({ courseId }) => courseIds.includes(courseId)),
        }),
        GetClasses: async ({ classIds }) => ({
          classes: classes.filter(({ classId }) => classIds.includes(classId)),
        }),
      },
    }),
  });
}
