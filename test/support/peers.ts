import { AuthService, type AuthServiceHandlers, type Revocation, type User } from '@gradeway/proto/auth';
import {
  type Access,
  type Class,
  type Course,
  CoursesService,
  type CoursesServiceHandlers,
} from '@gradeway/proto/courses';
import { AppError } from '@gradeway/shared/errors/appError';
import { type GrpcServer, listenGrpc } from '@gradeway/shared/grpc/server';
import { Health } from '@gradeway/shared/process/health';
import { createLogger } from '@gradeway/shared/process/logger';

export const serviceSecret = 'a secret of the tests, long enough';

/**
 * Auth and courses as another service sees them, over real gRPC, answering from these lists: for tests of one
 * service alone. The black-box tests have the real ones.
 */
export interface Peers {
  authGrpc: string;
  coursesGrpc: string;
  users: User[];
  revocations: Revocation[];
  courses: Course[];
  classes: Class[];
  /** By `userId/courseId`. */
  enrollments: Map<string, { paid: boolean }>;
  stopCourses(): Promise<void>;
  close(): Promise<void>;
}

export async function startPeers(): Promise<Peers> {
  const lists = {
    users: [] as User[],
    revocations: [] as Revocation[],
    courses: [] as Course[],
    classes: [] as Class[],
    enrollments: new Map<string, { paid: boolean }>(),
  };
  const log = createLogger('peers', 'silent');
  const common = { host: '127.0.0.1', port: 0, secret: serviceSecret, log, health: new Health() };
  const paidCourses = (userId: number) =>
    [...lists.enrollments].flatMap(([key, { paid }]) =>
      key.startsWith(`${userId}/`) && paid ? [Number(key.split('/')[1])] : [],
    );

  const unused = async () => {
    throw new AppError('internal', 'imports are tested with the real auth');
  };

  const auth = await listenGrpc<AuthServiceHandlers>({
    ...common,
    name: 'auth',
    service: {
      definition: AuthService.service,
      rpcs: {
        GetUsers: async ({ userIds }) => ({
          users: lists.users.filter(({ userId }) => userIds.includes(userId)),
        }),
        ListRevocations: async ({ cursor }) => ({
          revocations: lists.revocations.slice(Number(cursor || 0)),
          cursor: String(lists.revocations.length),
          more: false,
        }),
        SignReceipt: async ({ kind, submissionId }) => ({ receipt: `receipt of ${kind} ${submissionId}` }),
        ...{ PlanImport: unused, FindImportedUsers: unused, CompleteImport: unused },
        ...{ ReserveImport: unused, ReleaseImport: unused },
      },
    },
  });
  const courses: GrpcServer = await listenGrpc<CoursesServiceHandlers>({
    ...common,
    name: 'courses',
    service: {
      definition: CoursesService.service,
      rpcs: {
        CheckAccess: async ({ userId, courseId, classId }): Promise<Access> => {
          const enrollment = lists.enrollments.get(`${userId}/${courseId}`);
          return {
            courseExists: lists.courses.some((course) => course.courseId === courseId),
            classExists: lists.classes.some((each) => each.classId === classId && each.courseId === courseId),
            enrolled: enrollment !== undefined,
            paid: enrollment?.paid ?? false,
          };
        },
        ListPaidCourses: async ({ userId }) => ({ courseIds: paidCourses(userId) }),
        CountCartItems: async () => ({ count: 0 }),
        GetCourses: async ({ courseIds }) => ({
          courses: lists.courses.filter(({ courseId }) => courseIds.includes(courseId)),
        }),
        GetClasses: async ({ classIds }) => ({
          classes: lists.classes.filter(({ classId }) => classIds.includes(classId)),
        }),
      },
    },
  });
  return {
    ...lists,
    authGrpc: `127.0.0.1:${auth.port}`,
    coursesGrpc: `127.0.0.1:${courses.port}`,
    stopCourses: () => courses.close(),
    async close() {
      await Promise.all([auth.close(), courses.close()]);
    },
  };
}
