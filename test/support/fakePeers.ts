import { AuthService, type AuthServiceHandlers, type Revocation, type User } from '@gradeway/proto/auth';
import {
  type Class,
  type Course,
  CoursesService,
  type CoursesServiceHandlers,
  type ListStudentsRequest,
  type ListStudentsResponse,
  type Student,
} from '@gradeway/proto/courses';
import { AppError } from '@gradeway/shared/errors/appError';
import { type GrpcServer, listenGrpc } from '@gradeway/shared/grpc/server';
import { Health } from '@gradeway/shared/process/health';
import { createLogger } from '@gradeway/shared/process/logger';
import { openToAll } from './openToAll.ts';

export const serviceSecret = 'a test secret, long enough';

interface Records {
  users: User[];
  revocations: Revocation[];
  courses: Course[];
  classes: Class[];
  /** The key is `userId/courseId`. */
  enrollments: Map<string, { paid: boolean; timePercent?: number }>;
  /** The instructors of courses, each as `userId/courseId`. */
  teaching: Set<string>;
  /** The instructors who only grade. */
  graders: Set<string>;
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
    graders: new Set(),
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
    throw new AppError('internal', 'tests of imports and sign-ins run the real auth');
  };
  return listenGrpc<AuthServiceHandlers>({
    ...common,
    name: 'auth',
    service: openToAll<AuthServiceHandlers>({
      definition: AuthService.service,
      rpcs: {
        GetUsers: async ({ userIds }) => ({ users: users.filter(({ userId }) => userIds.includes(userId)) }),
        FindUsers: async ({ emails }) => ({ users: users.filter(({ email }) => emails.includes(email)) }),
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
        RecordTokenUse: async () => ({}),
        SignReceipt: async ({ kind, submissionId }) => ({ receipt: `receipt of ${kind} ${submissionId}` }),
        PlanImport: unused,
        FindImportedUsers: unused,
        CompleteImport: unused,
        ReserveImport: unused,
        ReleaseImport: unused,
        StartSignIn: unused,
        FinishSignIn: unused,
        CompleteSignIn: unused,
        GetSignOutUrl: unused,
      },
    }),
  });
}

function startCourses({
  users,
  courses,
  classes,
  enrollments,
  teaching,
  graders,
}: Records): Promise<GrpcServer> {
  const paidCourses = (userId: number) =>
    [...enrollments].flatMap(([key, { paid }]) =>
      key.startsWith(`${userId}/`) && paid ? [Number(key.split('/')[1])] : [],
    );
  const taughtCourses = (userId: number) =>
    [...teaching]
      .flatMap((key) => (key.startsWith(`${userId}/`) ? [Number(key.split('/')[1])] : []))
      .toSorted((one, other) => one - other);
  const people = (courseId: number) =>
    [...new Set([...enrollments.keys(), ...teaching])]
      .filter((key) => key.endsWith(`/${courseId}`))
      .map((key) => Number(key.split('/')[0]))
      .toSorted((one, other) => one - other);
  const students = (courseId: number): Student[] =>
    [...enrollments]
      .filter(([key, { paid }]) => paid && key.endsWith(`/${courseId}`))
      .map(([key]) => Number(key.split('/')[0]))
      .map((userId) => ({ userId, user: users.find((each) => each.userId === userId) }))
      .toSorted((one, other) => orderOf(one).localeCompare(orderOf(other)) || one.userId - other.userId)
      .map(({ userId, user }) => ({
        userId,
        name: user ? `${user.firstName} ${user.lastName}`.trim() : '',
        email: user?.email ?? '',
      }));
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
            timePercent: enrollment?.timePercent ?? 0,
          };
        },
        ListPaidCourses: async ({ userId }) => {
          const courseIds = paidCourses(userId);
          const accommodations = courseIds.flatMap((courseId) => {
            const timePercent = enrollments.get(`${userId}/${courseId}`)?.timePercent;
            return timePercent ? [{ courseId, timePercent }] : [];
          });
          return { courseIds, accommodations };
        },
        CheckTeaching: async ({ userId, courseId }) => {
          const key = `${userId}/${courseId}`;
          return { teaches: teaching.has(key), isGrader: graders.has(key) };
        },
        CheckTeacher: async ({ userId }) => ({
          isTeacher: [...teaching].some((key) => key.startsWith(`${userId}/`) && !graders.has(key)),
        }),
        ListCoursePeople: async ({ courseId, afterUserId }) => {
          const rest = people(courseId).filter((userId) => userId > afterUserId);
          return { userIds: rest.slice(0, 1), more: rest.length > 1 };
        },
        CheckCoursePerson: async ({ userId, courseIds }) => ({
          isPerson: courseIds.some((courseId) => people(courseId).includes(userId)),
        }),
        GetEnrollments: async ({ courseId, userIds }) => ({
          enrolledUserIds: userIds.filter((userId) => enrollments.has(`${userId}/${courseId}`)),
        }),
        ListStudents: async (request) => listStudents(request, students(request.courseId)),
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

const orderOf = ({ user }: { user: User | undefined }): string => `${user?.lastName}\0${user?.firstName}`;

function listStudents(
  { afterUserId, limit, search, groups, onlyGroup }: ListStudentsRequest,
  students: Student[],
): ListStudentsResponse {
  const groupOf = (userId = 0) => groups.findIndex(({ userIds }) => userIds.includes(userId));
  const after = students.findIndex(({ userId }) => userId === afterUserId) + 1;
  const found = students
    .slice(after)
    .filter(({ userId }) => onlyGroup === undefined || groupOf(userId) === onlyGroup)
    .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(search.toLowerCase()));
  return {
    students: found.slice(0, limit),
    more: found.length > limit,
    total: students.length,
    groupTotals: groups.map((_, index) => students.filter(({ userId }) => groupOf(userId) === index).length),
  };
}
