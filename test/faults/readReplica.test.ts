import type { Answer } from '@gradeway/test/httpClient';
import { scrape } from '@gradeway/test/metrics';
import { type ReplicatedDatabase, startReplicatedDatabase } from '@gradeway/test/replicatedDatabase';
import type { ServiceProcess } from '@gradeway/test/serviceProcess';
import { waitFor } from '@gradeway/test/waitFor';
import { type WatchedDatabase, watchDatabase } from '@gradeway/test/watchedDatabase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from '../../services/courses/test/coursesService.ts';
import { type HomeworkService, startHomeworkService } from '../../services/homework/test/homeworkService.ts';
import { type QuizService, startQuizService } from '../../services/quiz/test/quizService.ts';

type Service = 'courses' | 'homework' | 'quiz';

let servers: ReplicatedDatabase;
let watched: WatchedDatabase;
beforeAll(async () => {
  servers = await startReplicatedDatabase();
});
afterAll(() => servers?.close());

/** The settings of a service that uses both servers; statements to the replica are recorded. */
const both = (name: Service) => async () => {
  watched = await watchDatabase(servers.replicaUrl(name));
  return { DATABASE_URL: servers.primary.url(name), DATABASE_READ_URL: watched.url };
};
const countOf = async ({ adminUrl }: ServiceProcess, outcome: string) =>
  (await scrape(adminUrl)).value('gradeway_replica_reads_total', { outcome }) ?? 0;

/** Repeats a list until the replica has received a statement, and returns its body. */
async function readFromReplica(list: () => Promise<Answer>, statement: string): Promise<Answer['body']> {
  watched.takeStatements();
  const statuses = new Set<number>();
  const answered = await waitFor(async () => {
    const { status, body } = await list();
    statuses.add(status);
    return watched.takeStatements().some((sql) => sql.includes(statement)) && body;
  });
  expect([...statuses]).toEqual([200]);
  return answered;
}

describe('quiz', () => {
  let quiz: QuizService;
  beforeAll(async () => {
    quiz = await startQuizService(both('quiz'));
  });
  afterAll(async () => {
    await quiz?.close();
    watched?.close();
  });

  const list = () => quiz.get('/api/v3/quiz/pdf-quizzes', quiz.admin);
  const submissionsOf = (quizId: number, { body }: Answer) =>
    (body.data as { id: number; submissions: { id: number; grade: number | null }[] }[]).find(
      ({ id }) => id === quizId,
    )?.submissions;

  test('an upload and a grade are in the next list although the replica replays nothing', async () => {
    const scene = await quiz.setUp();
    await readFromReplica(list, 'FROM quiz_total');
    await servers.pauseReplay();
    const behind = await countOf(quiz.service, 'behind');
    expect((await quiz.upload(scene)).status).toBe(200);
    const [submission] = submissionsOf(scene.quizId, await list()) ?? [];
    expect(submission).toBeDefined();
    const path = `/api/v3/quiz/pdf-quizzes/grade/${submission?.id}`;
    for (const grade of [3, 7, 9]) {
      expect((await quiz.post(path, quiz.admin, { grade, total_grade: 10 })).status).toBe(200);
      expect(submissionsOf(scene.quizId, await list())).toMatchObject([{ id: submission?.id, grade }]);
    }
    const own = await quiz.get('/api/v3/quiz/submissions', scene.student);
    expect(own.body.data).toHaveLength(1);
    expect(await countOf(quiz.service, 'behind')).toBe(behind + 5);
    await servers.resumeReplay();
  });

  test('the lists of administrators and students are read from the replica', async () => {
    const scene = await quiz.setUp();
    await quiz.upload(scene);
    const before = await countOf(quiz.service, 'replica');
    const all = await readFromReplica(list, 'FROM quiz_total');
    expect(all.data[0].submissions).toHaveLength(1);
    const available = () => quiz.get('/api/v3/quiz/available', scene.student);
    expect((await readFromReplica(available, 'FROM quizzes')).data).toHaveLength(1);
    const own = () => quiz.get('/api/v3/quiz/submissions', scene.student);
    expect((await readFromReplica(own, 'FROM submissions')).data).toHaveLength(1);
    expect(await countOf(quiz.service, 'replica')).toBeGreaterThanOrEqual(before + 3);
  });

  test('a killed replica fails no request, and is used again once it is back', async () => {
    const scene = await quiz.setUp();
    await readFromReplica(list, 'FROM quiz_total');
    const statuses: number[] = [];
    let isOver = false;
    const repeat = async (send: () => Promise<Answer>) => {
      while (!isOver) statuses.push((await send()).status);
    };
    const clients = Promise.all([
      ...Array.from({ length: 6 }, () => repeat(list)),
      repeat(() => quiz.upload(scene)),
    ]);
    await waitFor(() => statuses.length > 20);
    await servers.killReplica();
    await waitFor(async () => (await countOf(quiz.service, 'left')) > 50);
    isOver = true;
    await clients;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await waitFor(() => quiz.service.log().includes('the read replica cannot be used'));
    await servers.startReplica();
    await readFromReplica(list, 'FROM quiz_total');
  });
});

describe('homework', () => {
  let homework: HomeworkService;
  beforeAll(async () => {
    homework = await startHomeworkService(both('homework'));
  });
  afterAll(async () => {
    await homework?.close();
    watched?.close();
  });

  test('the lists of administrators and students are read from the replica', async () => {
    const { classId, student } = await homework.setUp();
    await homework.submitted(classId, student);
    const all = () => homework.get('/api/v3/admin/homeworks', homework.admin);
    expect((await readFromReplica(all, 'FROM homework_totals')).data[0].submissions).toHaveLength(1);
    const own = () => homework.get('/api/v3/homeworks', student.token);
    const [listed] = (await readFromReplica(own, 'FROM submissions')).data;
    expect(listed.submission.files).toHaveLength(1);
  });

  test('an upload and a grade are in the next lists although the replica replays nothing', async () => {
    const { classId, student } = await homework.setUp();
    await servers.pauseReplay();
    const { id } = await homework.submitted(classId, student);
    expect((await homework.grade(id, { rating: 7 })).status).toBe(200);
    const { body } = await homework.get('/api/v3/homeworks', student.token);
    expect(body.data[0].submission).toMatchObject({ id, rating: 7 });
    const { body: all } = await homework.get('/api/v3/admin/homeworks', homework.admin);
    expect(all.data[0].submissions).toMatchObject([{ id, rating: 7 }]);
    await servers.resumeReplay();
  });
});

describe('courses', () => {
  let courses: CoursesService;
  beforeAll(async () => {
    courses = await startCoursesService(both('courses'));
  });
  afterAll(async () => {
    await courses?.close();
    watched?.close();
  });

  test('students and grades are read from the replica, and a new student is in the next list', async () => {
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId);
    const list = () =>
      courses.get<Answer['body']>(`/api/v3/admin/courses/${courseId}/students`) as Promise<Answer>;
    expect((await readFromReplica(list, 'FROM courses c')).data).toHaveLength(1);
    const grades = () => courses.get<Answer['body']>('/api/v3/grades', student.token) as Promise<Answer>;
    expect((await readFromReplica(grades, 'FROM grades')).data).toEqual([]);

    await servers.pauseReplay();
    await courses.createStudent(courseId);
    expect((await list()).body.data).toHaveLength(2);
    await servers.resumeReplay();
  });
});
