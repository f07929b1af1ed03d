import type { Answer } from '@gradeway/test/httpClient';
import { observeRoundTrips } from '@gradeway/test/roundTrips';
import type { ServiceProcess } from '@gradeway/test/serviceProcess';
import type { TestDatabase } from '@gradeway/test/testDatabase';
import { type WatchedDatabase, watchDatabase } from '@gradeway/test/watchedDatabase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, startAuthService } from '../../services/auth/test/authService.ts';
import { type CoursesService, startCoursesService } from '../../services/courses/test/coursesService.ts';
import {
  filesForm,
  type HomeworkService,
  startHomeworkService,
} from '../../services/homework/test/homeworkService.ts';
import {
  etagOf,
  gradeByItem,
  makeRubric,
  newGrader,
  newQueue,
  submissionPath,
} from '../../services/quiz/test/graders.ts';
import { type QuizService, startQuizService } from '../../services/quiz/test/quizService.ts';

/*
 * The round trips of the hot paths: statements to PostgreSQL and calls to other services. Their number does not vary
 * with the machine, as times do. The test names each of them, so that adding one is a deliberate decision.
 */

let watched: WatchedDatabase;

/** Connects a service through a proxy that records its statements. */
const through = (schema: Parameters<TestDatabase['url']>[0]) => async (database: TestDatabase) => {
  watched = await watchDatabase(database.url(schema));
  return { DATABASE_URL: watched.url };
};

const roundTripsOf = (service: ServiceProcess, send: () => Promise<{ status: number }>) =>
  observeRoundTrips({ service, watched, send });

describe('quiz', () => {
  let quiz: QuizService;
  beforeAll(async () => {
    quiz = await startQuizService(through('quiz'));
  });
  afterAll(async () => {
    await quiz.close();
    watched.close();
  });

  test('an upload of an answer sheet makes no additional round trips', async () => {
    const [first, second] = [await quiz.setUp(), await quiz.setUp()];
    await quiz.upload(first);
    const own = { ...second, studentId: first.studentId, student: first.student };
    quiz.peers.enrollments.set(`${own.studentId}/${own.courseId}`, { paid: true });
    expect(await roundTripsOf(quiz.service, () => quiz.upload(own))).toEqual({
      status: 200,
      statements: [
        'SELECT quizzes',
        'INSERT files',
        'START',
        'WITH files',
        'WITH submissions',
        'INSERT outbox',
        'COMMIT',
      ],
      calls: ['CheckAccess', 'SignReceipt'],
    });
  });

  test('an upload with an Idempotency-Key that replaces another makes no additional round trips', async () => {
    const scene = await quiz.setUp();
    await quiz.upload(scene);
    const again = () => quiz.upload(scene, {}, { 'idempotency-key': 'again' });
    expect(await roundTripsOf(quiz.service, again)).toEqual({
      status: 200,
      statements: [
        'SELECT idempotency_keys',
        'SELECT quizzes',
        'INSERT files',
        'START',
        'WITH files',
        'WITH submissions',
        'SELECT submissions',
        'INSERT replaced_sheets',
        'UPDATE submissions',
        'INSERT outbox',
        'SELECT replaced_sheets',
        'INSERT idempotency_keys',
        'COMMIT',
      ],
      calls: ['CheckAccess', 'SignReceipt'],
    });
  });

  test('the list of quizzes makes one round trip, however many submissions it has', async () => {
    for (let each = 0; each < 3; each += 1) await quiz.upload(await quiz.setUp());
    const list = () => quiz.get('/api/v3/quiz/pdf-quizzes', quiz.admin);
    expect(await roundTripsOf(quiz.service, list)).toEqual({
      status: 200,
      statements: ['SELECT quiz_total'],
      calls: [],
    });
  });

  test('a grading of an answer sheet makes two round trips', async () => {
    const scene = await quiz.setUp();
    await quiz.upload(scene);
    const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, quiz.admin);
    const path = `/api/v3/quiz/pdf-quizzes/grade/${body.data.submissions[0].id}`;
    const grade = () => quiz.post(path, quiz.admin, { grade: 7, total_grade: 10 });
    expect(await roundTripsOf(quiz.service, grade)).toEqual({
      status: 200,
      statements: ['SELECT quizzes', 'WITH quizzes'],
      calls: [],
    });
  });

  const rubric = (points: number) => ({ mode: 'add', max_points: 10, items: [{ points, text: 'Right' }] });

  test('the next submission of a queue, for an instructor, makes no additional round trips', async () => {
    const queue = await newQueue(quiz, 3);
    const grader = newGrader(quiz, queue.courseId);
    await grader.post(`${queue.path}/next`);
    expect(await roundTripsOf(quiz.service, () => grader.post(`${queue.path}/next`))).toEqual({
      status: 200,
      statements: [
        'SELECT questions',
        'SELECT people',
        'START',
        'SELECT',
        'WITH claims',
        'COMMIT',
        'SELECT quizzes',
      ],
      calls: ['CheckTeaching'],
    });
  });

  test('a grading with a rubric makes no additional round trips', async () => {
    const queue = await newQueue(quiz, 1);
    const grader = newGrader(quiz, queue.courseId);
    const { items, revision } = await makeRubric(grader, queue, rubric(6));
    const path = submissionPath(queue.submissionIds[0]);
    await grader.put(`${path}/claim`);
    const seen = etagOf(await grader.get(path));
    const body = { selection: items.map(({ id }) => id), rubric_revision: revision };
    expect(await roundTripsOf(quiz.service, () => grader.put(path, body, { 'if-match': seen }))).toEqual({
      status: 200,
      statements: ['SELECT quizzes', 'WITH quizzes'],
      calls: ['CheckTeaching'],
    });
  });

  test('a release of 20,000 grades changes one row and publishes one public event', async () => {
    const queue = await newQueue(quiz, 0);
    const teacher = newGrader(quiz, queue.courseId);
    // Without the triggers that count submissions, which take most of the time in one transaction.
    await quiz.database.query(
      `SET session_replication_role = replica;
       INSERT INTO quiz.submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at,
         grade, total_grade, graded_by, graded_at, revision)
       SELECT ${queue.quizId}, ${queue.courseId}, n, now(), 30, now(), 6, 10, 9, now(), 1
       FROM generate_series(1, 20000) n;
       RESET session_replication_role`,
    );
    await teacher.delete(`${queue.path}/release`);
    const [last] = await quiz.database.query<{ position: number }>(
      'SELECT max(position) AS position FROM quiz.outbox',
    );
    expect(await roundTripsOf(quiz.service, () => teacher.post(`${queue.path}/release`))).toEqual({
      status: 200,
      statements: [
        'SELECT questions',
        'START',
        'SELECT quizzes',
        'UPDATE quizzes',
        'INSERT outbox',
        'COMMIT',
        'SELECT quizzes',
      ],
      calls: ['GetCourses', 'CheckTeaching', 'ListStudents'],
    });
    const events = await quiz.database.query<{ type: string }>(
      'SELECT type FROM quiz.outbox WHERE position > $1 ORDER BY position',
      [last?.position],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'quiz.changed.v1',
      'quiz.grades.released.v1',
      'audit.recorded.v1',
    ]);
  });

  test('a change to a rubric makes one transaction with three statements for each 500 submissions', async () => {
    const queue = await newQueue(quiz, 1_000);
    const grader = newGrader(quiz, queue.courseId);
    const { items } = await makeRubric(grader, queue, rubric(6));
    await gradeByItem(quiz, queue, items[0]?.id);
    const change = () =>
      grader.put(
        `${queue.path}/rubric`,
        { ...rubric(7), items: items.map((item) => ({ ...item, points: 7 })) },
        { 'if-match': '*' },
      );
    const batch = ['SELECT quizzes', 'WITH submissions', 'INSERT outbox'];
    expect(await roundTripsOf(quiz.service, change)).toEqual({
      status: 200,
      statements: [
        'SELECT questions',
        'START',
        ...['SELECT', 'INSERT rubrics', 'SELECT rubrics', 'SELECT rubric_items', 'SELECT questions'],
        ...['SELECT quizzes', 'SELECT submissions', 'SELECT submissions'],
        ...['DELETE rubric_items', 'UPDATE rubric_items', 'INSERT rubric_items', 'UPDATE rubrics'],
        ...batch,
        ...batch,
        'SELECT quizzes',
        'INSERT outbox',
        'SELECT rubric_items',
        'COMMIT',
      ],
      calls: ['CheckTeaching'],
    });
  });
});

describe('homework', () => {
  let homework: HomeworkService;
  beforeAll(async () => {
    homework = await startHomeworkService(through('homework'));
  });
  afterAll(async () => {
    await homework.close();
    watched.close();
  });

  test('an upload of three files of homework makes no additional round trips', async () => {
    const { classId, student } = await homework.setUp();
    await homework.submit(classId, student);
    const other = await homework.setUp();
    homework.peers.enrollments.set(`${student.id}/${other.courseId}`, { paid: true });
    const names = ['a.pdf', 'b.pdf', 'c.pdf'];
    const files = filesForm(names.map((name) => [name, homework.pdf]));
    const submit = () => homework.submit(other.classId, student, files);
    expect(await roundTripsOf(homework.service, submit)).toEqual({
      status: 201,
      statements: [
        'SELECT classes',
        'INSERT files',
        'START',
        'WITH files',
        'WITH submissions',
        'INSERT outbox',
        'COMMIT',
        'SELECT submissions',
        'SELECT submission_files',
      ],
      calls: ['CheckAccess', 'SignReceipt'],
    });
  });

  test('the list of homework makes no additional round trips, however many submissions it has', async () => {
    for (let each = 0; each < 3; each += 1) {
      const { classId, student } = await homework.setUp();
      await homework.submit(classId, student);
    }
    const list = () => homework.get('/api/v3/admin/homeworks', homework.admin);
    expect(await roundTripsOf(homework.service, list)).toEqual({
      status: 200,
      statements: ['SELECT homework_totals'],
      calls: [],
    });
  });

  test('a grading of homework makes no additional round trips', async () => {
    const { classId, student } = await homework.setUp();
    const { id } = await homework.submitted(classId, student);
    expect(await roundTripsOf(homework.service, () => homework.grade(id, { rating: 7 }))).toEqual({
      status: 200,
      statements: ['SELECT classes', 'WITH assignments', 'SELECT submissions', 'SELECT submission_files'],
      calls: [],
    });
  });
});

describe('courses', () => {
  let courses: CoursesService;
  beforeAll(async () => {
    courses = await startCoursesService(through('courses'));
  });
  afterAll(async () => {
    await courses.close();
    watched.close();
  });

  test('the list of students makes no additional round trips', async () => {
    const courseId = await courses.createCourse();
    for (let each = 0; each < 3; each += 1) await courses.createStudent(courseId);
    const list = () => courses.get(`/api/v3/admin/courses/${courseId}/students`);
    expect(await roundTripsOf(courses.service, list)).toEqual({
      status: 200,
      statements: ['SELECT courses'],
      calls: [],
    });
  });
});

describe('auth', () => {
  let auth: AuthService;
  beforeAll(async () => {
    auth = await startAuthService(through('auth'));
  });
  afterAll(async () => {
    await auth.close();
    watched.close();
  });

  test('a login on a known device makes no additional round trips', async () => {
    const user = await auth.newUser();
    const logIn = (): Promise<Answer> => auth.logIn(user);
    await logIn();
    expect(await roundTripsOf(auth.service, logIn)).toEqual({
      status: 200,
      statements: ['WITH users', 'WITH users'],
      calls: ['CountCartItems'],
    });
  });

  test('the first login on a device makes no additional round trips', async () => {
    const user = await auth.newUser();
    expect(await roundTripsOf(auth.service, () => auth.logIn(user))).toEqual({
      status: 200,
      statements: [
        'WITH users',
        'SELECT attempts',
        'SELECT totp_factors',
        'START',
        'SELECT users',
        'SELECT devices',
        'INSERT devices',
        'INSERT entries',
        'INSERT login_addresses',
        'INSERT sessions',
        'INSERT entries',
        'COMMIT',
      ],
      calls: ['CountCartItems'],
    });
  });
});
