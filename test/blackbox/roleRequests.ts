import { now, type Student, unique } from '@gradeway/test/fixtures';
import { form, pdf } from '@gradeway/test/httpClient';
import { totpCode } from '@gradeway/test/totpCode';
import {
  asAdmin,
  assignInstructor,
  enroll,
  newAccount,
  newAssignment,
  newClass,
  newCourse,
  newQuiz,
  newStudent,
} from './fixtures.ts';
import {
  archiveForm,
  type Caller,
  confirmPassword,
  newDevice,
  newSubmission,
  newWebhook,
  type RoleScene,
  webhookUrl,
} from './roleScene.ts';

export interface RoleRequest {
  /** The parameters of the path, in order. */
  ids?: (number | string)[];
  query?: string;
  /** A function creates a body for each caller. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The fields that make re-authentication necessary, unless every request of the operation needs it. */
  sensitive?: Pick<RoleRequest, 'query' | 'body'>;
}

/** Responses that the role of a caller does not determine; a string is the response to every caller. */
type Answers = string | Partial<Record<Caller, string>>;

export type Entry =
  /** All callers send the same request. It changes and deletes only its own data, so that tests run in any order. */
  (
    | { request(scene: RoleScene): RoleRequest | Promise<RoleRequest>; answers?: Answers }
    /** The request changes the caller's own account or session, so each admitted caller has a new account. */
    | { own(account: Student): RoleRequest | Promise<RoleRequest>; answers?: Answers }
  ) & {
    /** The reason why no caller has a record of the kind that the operation lists. */
    isEmpty?: string;
  };

const send = (
  request: (scene: RoleScene) => RoleRequest | Promise<RoleRequest>,
  answers: Answers = {},
): Entry => ({ request, answers });
const own = (
  request: (account: Student) => RoleRequest | Promise<RoleRequest>,
  answers: Answers = {},
): Entry => ({ own: request, answers });
const plain = send(() => ({}));

const account = ({ spare }: RoleScene) => ({ ids: [spare.id] });
const course = ({ courseId }: RoleScene) => ({ ids: [courseId] });
const webhook = ({ webhook: { id } }: RoleScene) => ({ ids: [id] });

const newUnenrolledClass = ({ spareCourseId }: RoleScene) => newClass(spareCourseId);
const unpaid = { other: '403 PayFirstToAccessTheCourse' };
const notTaught = { instructor: '404 Not Found' };
const notRun = { instructor: '422 Invalid Data' };
const notOwner = { instructor: '404 Not Found', other: '404 Not Found', admin: '404 Not Found' };

/** The ids of a new course and of its only student, who has extended quiz times. */
async function accommodated({ spare }: RoleScene) {
  const ids = [await newCourse(), spare.id];
  await enroll(ids[0] ?? 0, spare);
  const path = `/api/v3/grading/courses/${ids[0]}/accommodations/${ids[1]}`;
  await (await asAdmin()).put(path, { time_factor: 1.5 });
  return { ids };
}

async function requestTotp(student: Student) {
  const { body } = await student.post('/api/v3/mfa/totp');
  return body.data.secret as string;
}

/** A comment in the bank of an account that has one; otherwise an unknown id. */
async function newComment(grader: Student) {
  const { body } = await grader.post('/api/v3/grading/comments', { text: `Comment ${unique()}` });
  return (body.data?.id ?? 1) as number;
}

async function newEnrolled(courseId: number): Promise<Student> {
  const student = await newStudent();
  await enroll(courseId, student);
  return student;
}

const csvForm = (text: string) => form({ file: new Blob([text]) }, 'students.csv');

const rubric = { mode: 'add', max_points: 10, items: [{ points: 6, text: 'The proof is complete.' }] };

const outline = { questions: [{ label: '1', max_points: 10 }] };

/** A quiz with a rubric. Returns its id. */
async function newRubric(courseId: number): Promise<number> {
  const quizId = await newQuiz(courseId);
  const admin = await asAdmin();
  await admin.put(`/api/v3/grading/quizzes/${quizId}/rubric`, rubric, { 'if-none-match': '*' });
  return quizId;
}

/** A quiz with a question that has a rubric. Returns their ids. */
async function newQuestion(courseId: number): Promise<[quizId: number, questionId: number]> {
  const quizId = await newQuiz(courseId);
  const admin = await asAdmin();
  const path = `/api/v3/grading/quizzes/${quizId}/questions`;
  const { body } = await admin.put(path, outline, { 'if-match': '*' });
  const [{ id }] = body.data.questions;
  await admin.put(`${path}/${id}/rubric`, rubric, { 'if-none-match': '*' });
  return [quizId, id];
}

/** The ids of a submission of a new student, which a teacher handed in, and of the only question of its quiz. */
async function newAnswer(courseId: number): Promise<[number, number]> {
  const quizId = await newQuiz(courseId);
  const path = `/api/v3/grading/quizzes/${quizId}`;
  const admin = await asAdmin();
  const outline = { questions: [{ label: '1', max_points: 5 }] };
  const { body } = await admin.put(`${path}/questions`, outline, { 'if-match': '*' });
  const student = await newEnrolled(courseId);
  const answer = await admin.post(`${path}/submissions`, form({ student_id: String(student.id) }));
  return [answer.body.data.id, body.data.questions[0].id];
}

async function enableTotp(student: Student) {
  const code = totpCode(await requestTotp(student));
  const { body } = await student.post('/api/v3/mfa/totp/confirm', { code });
  return body.data.recovery_codes[0] as string;
}

/** A token for programs of an account that has confirmed its password. Returns its id. */
async function newToken(owner: Student, name = 'Phone'): Promise<number> {
  const { body } = await owner.post('/api/v3/me/tokens', { name, scopes: ['courses:read'] });
  return body.data.id;
}

async function newServiceAccount(): Promise<{ id: number; tokens: { id: number }[] }> {
  const fields = { name: unique(), scopes: ['users:read'] };
  return (await (await asAdmin()).post('/api/v3/admin/service-accounts', fields)).body.data;
}

const answerGroups = async ({ spareCourseId }: RoleScene) => ({
  ids: ['quizzes', ...(await newQuestion(spareCourseId))],
});

async function answerGroup(scene: RoleScene) {
  const { ids } = await answerGroups(scene);
  const [kind, quizId, questionId] = ids;
  const path = `/api/v3/grading/${kind}/${quizId}/questions/${questionId}/groups`;
  const { body } = await (await asAdmin()).post(path, { title: unique(), submission_ids: [] });
  return { ids: [...ids, body.data.id as number] };
}

const review = { text: 'The second step follows from the first.' };

async function newReview(scene: RoleScene): Promise<number> {
  const { id } = await newSubmission(scene);
  const { body } = await (await asAdmin()).post(
    `/api/v3/grading/homeworks/submissions/${id}/reviews`,
    review,
  );
  return body.data.id;
}

/** The reviews of a submission. One is open, about a text that only the student may read. */
const ownReviews =
  (kind: string, of: 'sheetId' | 'homeworkId') =>
  async ({ submitted, mark }: RoleScene) => {
    const id = submitted[of];
    await (await asAdmin()).post(`/api/v3/grading/${kind}/submissions/${id}/reviews`, {
      text: `Step ${mark}`,
    });
    return { ids: [id] };
  };

const notOwnSheet = { other: '404 Not Found' };
const notOwnHomework = { other: '404 PDF Homework not found' };
const isGraded = { student: '409 Submission already graded' };
const noReviews = { student: '403 ReviewsClosed' };

/** Sent only by pages of the installation. */
const fromPage = { 'x-requested-with': 'gradeway' };

/** A request for every operation, by its operationId. */
export const roleRequests: Record<string, Entry> = {
  // gateway
  readOpenApi: plain,
  readAsyncApi: plain,
  readDocumentation: plain,
  checkLiveness: plain,
  checkReadiness: plain,
  readFile: send(({ submitted: { sheetUrl } }) => ({
    ids: sheetUrl.pathname.split('/').slice(-2),
    query: sheetUrl.search,
  })),

  readAnnotatedFile: send(async ({ submitted }) => {
    const { body } = await (await asAdmin()).get(`/api/v3/grading/quizzes/submissions/${submitted.sheetId}`);
    const url = new URL(body.data.annotated_url);
    return { ids: ['quiz', submitted.sheetId], query: url.search };
  }),

  openSession: send(({ spare: { email, password } }) => ({ headers: fromPage, body: { email, password } })),
  refreshSession: send(() => ({ headers: fromPage }), '401 UnauthorizedRequest'),
  closeSession: send(() => ({ headers: fromPage })),

  // The system under test has no provider.
  openSessionBySecondFactor: send(
    () => ({ headers: fromPage, body: { provider: 'none', totp: '123456' } }),
    '401 The sign-in has expired. Start again.',
  ),
  startSignIn: send(() => ({ ids: ['none'] }), '404 Not Found'),
  finishSignIn: send(() => ({ ids: ['none'] }), '303 undefined'),
  signOutAtProvider: send(() => ({ ids: ['none'] }), '303 undefined'),

  // auth
  loginProviders: plain,
  endProviderSessions: send(() => ({ ids: ['none'] }), '404 Not Found'),
  listOwnIdentities: { ...plain, isEmpty: 'the system under test has no provider' },
  deleteOwnIdentity: own(() => ({ ids: [1] }), '404 Not Found'),
  readTokenKeys: plain,
  login: send(({ spare: { email, password } }) => ({ body: { email, password } })),
  sendLoginCode: send(() => ({ body: () => ({ email: `${unique()}@nowhere.example` }) })),
  // The code arrives by mail. Anyone may try one.
  loginWithCode: send(
    () => ({ body: () => ({ email: `${unique()}@nowhere.example`, code: '000000' }) }),
    '401 These credentials do not match our records.',
  ),
  refreshToken: own(() => ({})),
  logout: own(() => ({})),
  changePassword: own(({ password }) => ({
    body: { password: `new ${password}`, current_password: password },
  })),
  reauthenticate: own(({ password }) => ({ body: { password } })),
  requestTotp: own(() => ({})),
  confirmTotp: own(async (student) => ({ body: { code: totpCode(await requestTotp(student)) } })),
  deleteTotp: own(async (student) => ({ body: { code: await enableTotp(student) } })),
  readMe: plain,
  listOwnSessions: plain,
  readToken: plain,
  listOwnTokens: send(async ({ student, mark }) => {
    await confirmPassword(student);
    await newToken(student, `Phone ${mark}`);
    return {};
  }),
  createOwnToken: own(() => ({ body: { name: 'Phone', scopes: ['courses:read'] } })),
  deleteOwnToken: own(async (account) => ({ ids: [await newToken(account)] })),
  listServiceAccounts: plain,
  createServiceAccount: send(() => ({ body: { name: unique(), scopes: ['users:read'] } })),
  changeServiceAccount: send(async () => ({
    ids: [(await newServiceAccount()).id],
    body: { name: unique() },
  })),
  deleteServiceAccount: send(async () => ({ ids: [(await newServiceAccount()).id] })),
  createServiceToken: send(async () => ({ ids: [(await newServiceAccount()).id] })),
  deleteServiceToken: send(async () => {
    const { id, tokens } = await newServiceAccount();
    return { ids: [id, tokens[0]?.id ?? 0] };
  }),
  endOwnSession: own(async (account) => {
    const { body } = await account.get('/api/v3/me/sessions');
    return { ids: [body.data[0].id] };
  }),
  listOwnDevices: send(() => ({ query: '?per_page=100' })),
  deleteOwnDevice: send(async ({ student }) => ({ ids: [await newDevice(student)] }), notOwner),
  verifyReceipt: send(({ submitted: { receipt } }) => ({ body: { receipt } })),
  listUsers: plain,
  createUser: send(() => ({
    body: {
      first_name: 'Ada',
      last_name: 'Byron',
      email: `${unique()}@test.example`,
      role: 'user',
      password: `password ${unique()}`,
    },
  })),
  readUser: send(account),
  changeUser: send(({ spare }) => ({
    ids: [spare.id],
    body: { first_name: 'Grace' },
    sensitive: { body: { password: `password ${unique()}` } },
  })),
  deleteUser: send(async () => ({ ids: [(await newAccount()).id] })),
  downloadPersonalData: send(({ student }) => ({ ids: [student.id] })),
  erasePerson: send(async () => ({ ids: [(await newAccount()).id] })),
  readErasure: send(({ erasedId }) => ({ ids: [erasedId] })),
  listDevicesOfUser: send(({ student }) => ({ ids: [student.id] })),
  changeDevice: send(async ({ spare }) => ({ ids: [await newDevice(spare)], body: { is_disabled: true } })),
  deleteDevice: send(async ({ spare }) => ({ ids: [await newDevice(spare)] })),
  listAuditEntries: plain,
  // The instructor teaches no course.
  searchInstructors: send(() => ({ query: '?search=ad' }), { instructor: '403 Unauthorized Access' }),

  // courses
  listCourses: plain,
  createCourse: send(() => ({ body: { title: `Course ${unique()}` } })),
  readCourse: send(course),
  changeCourse: send(({ spareCourseId }) => ({ ids: [spareCourseId], body: { description: 'Changed' } })),
  deleteCourse: send(async () => ({ ids: [await newCourse()] })),
  listClasses: send(course),
  createClass: send(({ spareCourseId }) => ({ ids: [spareCourseId], body: { title: `Class ${unique()}` } })),
  changeClass: send(async (scene) => ({ ids: [await newUnenrolledClass(scene)], body: { title: unique() } })),
  deleteClass: send(async (scene) => ({ ids: [await newUnenrolledClass(scene)] })),
  listCourseStudents: send(course),
  enrollStudent: send(({ spareCourseId, spare }) => ({
    ids: [spareCourseId, spare.id],
    body: { paid: true },
  })),
  endEnrollment: send(async ({ spare }) => {
    const courseId = await newCourse();
    await enroll(courseId, spare);
    return { ids: [courseId, spare.id] };
  }),
  readGradebook: send(course),
  downloadCourseSubmissions: send(course),
  listInstructors: send(course),
  assignInstructor: send(async () => ({
    ids: [await newCourse(), (await newAccount({ role: 'instructor' })).id],
  })),
  removeInstructor: send(async () => {
    const [courseId, instructor] = [await newCourse(), await newAccount({ role: 'instructor' })];
    await assignInstructor(courseId, instructor);
    return { ids: [courseId, instructor.id] };
  }),
  listGradingCourses: plain,
  listStudentsForGrader: send(course, notTaught),
  readGradebookForGrader: send(course, notTaught),
  importRoster: send(
    (scene) => ({ ...course(scene), query: '?dry_run=1', body: csvForm('name,email') }),
    notTaught,
  ),
  listTeam: send(course, notTaught),
  assignTeamMember: send(
    async () => ({ ids: [await newCourse(), (await newAccount({ role: 'instructor' })).id] }),
    notTaught,
  ),
  removeTeamMember: send(async () => {
    const [courseId, instructor] = [await newCourse(), await newAccount({ role: 'instructor' })];
    await assignInstructor(courseId, instructor);
    return { ids: [courseId, instructor.id] };
  }, notTaught),
  listClassesForGrader: send(course, notTaught),
  createClassAsTeacher: send(
    ({ spareCourseId }) => ({ ids: [spareCourseId], body: { title: `Class ${unique()}` } }),
    notTaught,
  ),
  changeClassAsTeacher: send(
    async (scene) => ({ ids: [await newUnenrolledClass(scene)], body: { title: unique() } }),
    notTaught,
  ),
  deleteClassAsTeacher: send(async (scene) => ({ ids: [await newUnenrolledClass(scene)] }), notTaught),
  readAccommodation: send(accommodated, notTaught),
  setAccommodation: send(
    async (scene) => ({ ...(await accommodated(scene)), body: { time_factor: 1.25 } }),
    notTaught,
  ),
  removeAccommodation: send(accommodated, notTaught),
  listComments: plain,
  createComment: send(() => ({ body: { text: 'Show the steps between.' } })),
  changeComment: own(async (grader) => ({ ids: [await newComment(grader)], body: { text: 'Well done.' } })),
  deleteComment: own(async (grader) => ({ ids: [await newComment(grader)] })),
  countCommentUse: own(async (grader) => ({ ids: [await newComment(grader)] })),
  createCalendar: own(() => ({})),
  deleteCalendar: own(() => ({})),
  readCalendar: send(async () => {
    const { body } = await (await newStudent()).post('/api/v3/me/calendar');
    return {
      ids: [
        new URL(body.data.url).pathname
          .split('/')
          .at(-1)
          ?.replace(/\.ics$/, '') ?? '',
      ],
    };
  }),
  listOwnCourses: plain,
  listOwnGrades: plain,
  listWebhooks: plain,
  createWebhook: send(() => ({ body: { url: webhookUrl, event_types: ['*'], is_active: false } })),
  readWebhook: send(webhook),
  changeWebhook: send((scene) => ({ ...webhook(scene), body: { description: 'Changed' } })),
  deleteWebhook: send(async () => ({ ids: [(await newWebhook()).id] })),
  rotateWebhookSecret: send((scene) => ({ ...webhook(scene), body: {} })),
  testWebhook: send(webhook),
  replayFailedDeliveries: send((scene) => ({ ...webhook(scene), body: { since: now() } })),
  listWebhookDeliveries: send(webhook),
  replayDelivery: send(({ webhook: { id, deliveryId } }) => ({ ids: [id, deliveryId] })),
  readNotifications: plain,
  changeNotifications: own(() => ({ body: {} })),
  openUnsubscribePage: send(() => ({ query: '?token=none' }), '404 Not Found'),
  unsubscribe: send(() => ({ query: '?token=none' }), '404 Not Found'),
  importArchive: send(async () => ({ query: '?dry_run=1', body: await archiveForm() })),
  readImport: send(({ importId }) => ({ ids: [importId] })),

  // homework
  listHomeworks: plain,
  readHomework: send(({ graded }) => ({ ids: [graded.classId] })),
  setAssignment: send(async (scene) => ({ ids: [await newUnenrolledClass(scene)], body: form({}) })),
  removeAssignment: send(async (scene) => {
    const classId = await newUnenrolledClass(scene);
    await newAssignment(classId);
    return { ids: [classId] };
  }),
  gradeHomework: send(({ submitted }) => ({ ids: [submitted.homeworkId], body: { rating: 8 } })),
  listHomeworkGradings: send(({ submitted }) => ({ ids: [submitted.homeworkId] })),
  deleteSubmissionFile: send(async (scene) => {
    const { id, files } = await newSubmission(scene);
    return { ids: [id, files[0]?.id ?? 0] };
  }),
  listGradingItems: send(() => ({ ids: ['homeworks'] })),
  readGradingItem: send(({ graded }) => ({ ids: ['homeworks', graded.classId] }), notTaught),
  listQueue: send(({ graded }) => ({ ids: ['homeworks', graded.classId] }), notTaught),
  submitForStudent: send(async ({ spareCourseId }) => {
    const [quizId, { id }] = await Promise.all([newQuiz(spareCourseId), newEnrolled(spareCourseId)]);
    return { ids: ['quizzes', quizId], body: form({ student_id: `${id}`, replace: '1' }) };
  }, notTaught),
  importGrades: send(
    ({ graded }) => ({
      ids: ['homeworks', graded.classId],
      query: '?dry_run=1',
      body: csvForm('student_id,grade'),
    }),
    notTaught,
  ),
  listEveryone: send(({ graded }) => ({ ids: ['homeworks', graded.classId] }), notTaught),
  claimNextSubmission: send(({ graded }) => ({ ids: ['quizzes', graded.quizId], body: {} }), notTaught),
  readRubric: send(
    async ({ spareCourseId }) => ({ ids: ['quizzes', await newRubric(spareCourseId)] }),
    notTaught,
  ),
  setRubric: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', await newRubric(spareCourseId)],
      body: rubric,
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  deleteRubric: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', await newRubric(spareCourseId)],
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  importRubric: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', await newRubric(spareCourseId)],
      body: rubric,
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  readOutline: send(
    async ({ spareCourseId }) => ({ ids: ['quizzes', await newQuiz(spareCourseId)] }),
    notTaught,
  ),
  setOutline: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', await newQuiz(spareCourseId)],
      body: outline,
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  readQuestionRubric: send(
    async ({ spareCourseId }) => ({ ids: ['quizzes', ...(await newQuestion(spareCourseId))] }),
    notTaught,
  ),
  setQuestionRubric: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', ...(await newQuestion(spareCourseId))],
      body: rubric,
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  deleteQuestionRubric: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', ...(await newQuestion(spareCourseId))],
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  importQuestionRubric: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', ...(await newQuestion(spareCourseId))],
      body: rubric,
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  listAnswerGroups: send(answerGroups, notTaught),
  createAnswerGroup: send(
    async (scene) => ({ ...(await answerGroups(scene)), body: { title: unique(), submission_ids: [] } }),
    notTaught,
  ),
  readAnswerGroup: send(answerGroup, notTaught),
  changeAnswerGroup: send(
    async (scene) => ({ ...(await answerGroup(scene)), body: { title: unique() } }),
    notTaught,
  ),
  deleteAnswerGroup: send(answerGroup, notTaught),
  gradeAnswerGroup: send(
    async (scene) => ({ ...(await answerGroup(scene)), body: { points: 1 }, headers: { 'if-match': '*' } }),
    notTaught,
  ),
  listReviews: send(({ graded }) => ({ ids: ['quizzes', graded.quizId] }), notTaught),
  claimNextReview: send(({ graded }) => ({ ids: ['quizzes', graded.quizId] }), notTaught),
  openReview: send(
    async (scene) => ({ ids: ['homeworks', (await newSubmission(scene)).id], body: review }),
    notTaught,
  ),
  closeReview: send(
    async (scene) => ({
      ids: ['homeworks', await newReview(scene)],
      body: { state: 'closed', answer: 'The points are right.' },
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  setPages: send(
    ({ submitted }) => ({ ids: ['quizzes', submitted.sheetId], body: { pages: [] } }),
    notTaught,
  ),
  setOwnQuizPages: send(
    async ({ submitted: { sheetId } }) => {
      await (await asAdmin()).post(`/api/v3/quiz/pdf-quizzes/grade/${sheetId}`, {
        grade: 5,
        total_grade: 10,
      });
      return { ids: [sheetId], body: { pages: [] } };
    },
    { ...notOwnSheet, ...isGraded },
  ),
  setOwnHomeworkPages: send(({ submitted }) => ({ ids: [submitted.homeworkId], body: { pages: [] } }), {
    ...notOwnHomework,
    ...isGraded,
  }),
  listOwnQuizReviews: send(ownReviews('quizzes', 'sheetId'), notOwnSheet),
  askForQuizReview: send(({ submitted }) => ({ ids: [submitted.sheetId], body: review }), {
    ...notOwnSheet,
    ...noReviews,
  }),
  listOwnHomeworkReviews: send(ownReviews('homeworks', 'homeworkId'), notOwnHomework),
  askForHomeworkReview: send(({ submitted }) => ({ ids: [submitted.homeworkId], body: review }), {
    ...notOwnHomework,
    ...noReviews,
  }),
  createQuizAsTeacher: send(
    ({ spareCourseId }) => ({ body: { title: unique(), course_id: spareCourseId } }),
    notRun,
  ),
  setAssignmentAsTeacher: send(
    async (scene) => ({ ids: [await newUnenrolledClass(scene)], body: {} }),
    notTaught,
  ),
  changeItem: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', await newQuiz(spareCourseId)],
      body: { title: unique() },
    }),
    notTaught,
  ),
  deleteItem: send(
    async ({ spareCourseId }) => ({ ids: ['quizzes', await newQuiz(spareCourseId)] }),
    notTaught,
  ),
  copyItem: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', await newQuiz(spareCourseId)],
      body: { course_id: spareCourseId },
    }),
    notTaught,
  ),
  releaseGrades: send(({ graded }) => ({ ids: ['quizzes', graded.quizId] }), notTaught),
  withholdGrades: send(
    async ({ spareCourseId }) => ({ ids: ['quizzes', await newQuiz(spareCourseId)] }),
    notTaught,
  ),
  readStatistics: send(({ graded }) => ({ ids: ['homeworks', graded.classId] }), notTaught),
  readGradingDetail: send(({ submitted }) => ({ ids: ['quizzes', submitted.sheetId] }), notTaught),
  gradeSubmission: send(
    ({ submitted }) => ({
      ids: ['homeworks', submitted.homeworkId],
      body: { grade: 8 },
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  undoGrading: send(
    ({ submitted }) => ({ ids: ['quizzes', submitted.sheetId], headers: { 'if-match': '*' } }),
    notTaught,
  ),
  // Other tests also claim it.
  claimSubmission: send(
    ({ submitted }) => ({ ids: ['quizzes', submitted.sheetId], query: '?take=1' }),
    notTaught,
  ),
  releaseSubmission: send(({ submitted }) => ({ ids: ['quizzes', submitted.sheetId] }), notTaught),
  gradeAnswer: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', ...(await newAnswer(spareCourseId))],
      body: { points: 1 },
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  ungradeAnswer: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', ...(await newAnswer(spareCourseId))],
      headers: { 'if-match': '*' },
    }),
    notTaught,
  ),
  claimAnswer: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', ...(await newAnswer(spareCourseId))],
    }),
    notTaught,
  ),
  releaseAnswer: send(
    async ({ spareCourseId }) => ({
      ids: ['quizzes', ...(await newAnswer(spareCourseId))],
    }),
    notTaught,
  ),
  readProgress: send(({ graded }) => ({ ids: ['quizzes', graded.quizId] }), notTaught),
  listGradingHistory: send(({ submitted }) => ({ ids: ['homeworks', submitted.homeworkId] }), notTaught),
  listAllowances: send(({ graded }) => ({ ids: ['homeworks', graded.classId] }), notTaught),
  setAllowances: send(
    ({ graded, student }) => ({
      ids: ['quizzes', graded.quizId],
      body: { students: [{ student_id: student.id, note: 'Ill' }] },
    }),
    notTaught,
  ),
  setAllowance: send(
    ({ graded, student }) => ({ ids: ['homeworks', graded.classId, student.id], body: { note: 'Ill' } }),
    notTaught,
  ),
  removeAllowance: send(
    ({ graded, student }) => ({ ids: ['quizzes', graded.quizId, student.id] }),
    notTaught,
  ),
  waiveLateness: send(
    ({ submitted }) => ({ ids: ['quizzes', submitted.sheetId], body: { waived: false } }),
    notTaught,
  ),
  listOwnHomeworks: plain,
  readOwnHomeworkSubmission: send(({ submitted }) => ({ ids: [submitted.homeworkId] }), {
    other: '404 PDF Homework not found',
  }),
  submitHomework: send(
    async ({ pending }) => ({ ids: [pending.classId], body: form({ files: [await pdf()] }) }),
    unpaid,
  ),
  downloadSubmission: send(({ submitted }) => ({ ids: [submitted.homeworkId] }), {
    other: '401 UnauthorizedRequest',
  }),

  // quiz
  listQuizzes: plain,
  createQuiz: send(({ spareCourseId }) => ({
    body: form({ title: unique(), course_id: `${spareCourseId}` }),
  })),
  readQuiz: send(({ graded }) => ({ ids: [graded.quizId] })),
  changeQuiz: send(async ({ spareCourseId }) => ({
    ids: [await newQuiz(spareCourseId)],
    body: { title: unique() },
  })),
  deleteQuiz: send(async ({ spareCourseId }) => ({ ids: [await newQuiz(spareCourseId)] })),
  gradeQuiz: send(({ submitted }) => ({ ids: [submitted.sheetId], body: { grade: 8, total_grade: 10 } })),
  listQuizGradings: send(({ submitted }) => ({ ids: [submitted.sheetId] })),
  listAvailableQuizzes: plain,
  listOwnQuizSubmissions: plain,
  readOwnQuizSubmission: send(({ submitted }) => ({ ids: [submitted.sheetId] }), { other: '404 Not Found' }),
  submitAnswerSheet: send(async ({ courseId, pending: { quizId } }) => {
    const ids = { course_id: `${courseId}`, quiz_id: `${quizId}` };
    return { body: form({ ...ids, duration: '30', start_at: now(), file: await pdf() }) };
  }, unpaid),
};
