import { openDatabase } from '@gradeway/shared/database/connection';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { toPoints } from '@gradeway/shared/grading/points';
import { AnswerWriter } from '@gradeway/shared/questions/answerWriter';
import { SubmissionSettler } from '@gradeway/shared/questions/submissionSettler';
import { createHttpClient, type HttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gradedHomeworks } from '../src/http/gradedHomeworks.ts';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

const etagOf = ({ headers }: { headers: Headers }) => headers.get('etag') ?? '';

/** The assignment of a class with two questions of 4 and 2 points, a submission for it, and a teacher. */
async function newScene() {
  const scene = await homework.setUp({ assignment_deadline: '2099-11-21T19:05:00' });
  const { id } = await homework.submitted(scene.classId, scene.student);
  const teacher = createHttpClient({ baseUrl: homework.service.url, token: homework.admin });
  const item = `/api/v3/grading/homeworks/${scene.classId}`;
  const questions = await put(teacher, item, [
    { label: '1', max_points: 4 },
    { label: '2', max_points: 2 },
  ]);
  const detail = async () => (await teacher.get(`/api/v3/grading/homeworks/submissions/${id}`)).body.data;
  return { ...scene, id, teacher, item, questions, detail };
}

async function put(teacher: HttpClient, item: string, questions: object[]) {
  const headers = { 'if-match': etagOf(await teacher.get(`${item}/questions`)) };
  const { status, body } = await teacher.put(`${item}/questions`, { questions }, headers);
  expect(status).toBe(200);
  return body.data.questions as { id: number; label: string; max_points: number }[];
}

/** Grades answers with the service's grading engine. */
async function gradeAnswers(
  submissionId: number,
  points: [questionId: number | undefined, points: number][],
) {
  const sequelize = openDatabase({ url: homework.database.url('homework'), name: 'test', pool: 1 });
  const writer = new AnswerWriter(sequelize);
  const at = new Date();
  await sequelize.transaction(async (transaction) => {
    await writer.lockSubmissions([submissionId], transaction);
    const changes = points.map(([questionId = 0, each]) => ({
      ...{ submissionId, questionId, points: toPoints(each), comment: null, selection: [], adjustment: 0 },
      ...{ rubricRevision: null, gradedBy: 1, gradedAt: at, isChanged: true },
    }));
    await writer.write(changes, { userId: 1, at, reason: 'graded' }, transaction);
    const settler = new SubmissionSettler(sequelize, gradedHomeworks);
    const { events } = await settler.settle([submissionId], 1, at, transaction);
    await createOutbox(sequelize).addAll(events, transaction);
  });
  await sequelize.close();
}

describe('the questions of homework', () => {
  test('the rating is the share of the total in tenths, rounded half up, and follows changes to the outline', async () => {
    const { id, teacher, item, questions, detail } = await newScene();
    const [one, two] = questions;
    await gradeAnswers(id, [
      [one?.id, 2.5],
      [two?.id, 0.2],
    ]);
    expect(await detail()).toMatchObject({ grade: 5, total_grade: 10 });
    await put(teacher, item, [one as object]);
    expect(await detail()).toMatchObject({ grade: 6, total_grade: 10, answers: [{ points: 2.5 }] });
    await put(teacher, item, [{ ...one, max_points: 4.0001 }]);
    expect(await detail()).toMatchObject({ grade: 6, revision: 2 });
    expect((await teacher.get(item)).body.data.total_grade).toBe(10);
  });

  test('the rubric of a question has the maximum of the question, and is copied with the questions', async () => {
    const { courseId, teacher, item, questions } = await newScene();
    const path = `${item}/questions/${questions[0]?.id}/rubric`;
    const rubric = { mode: 'subtract', items: [{ points: 1, text: 'Wrong sign' }] };
    const made = await teacher.put(path, rubric, { 'if-none-match': '*' });
    expect([made.status, made.body.data.max_points]).toEqual([201, 4]);

    const classId = 90_000_000 + courseId;
    homework.peers.classes.push({ classId, courseId, title: 'Other', createdAt: null, revision: 1 });
    const copied = await teacher.post(`${item}/copy`, { class_id: classId });
    expect(copied.status).toBe(201);
    const { body } = await teacher.get(`/api/v3/grading/homeworks/${classId}/questions`);
    expect(body.data).toMatchObject({
      ...{ revision: 1, total_points: 6 },
      questions: [{ label: '1', rubric: { max_points: 4, items: [{ text: 'Wrong sign' }] } }, { label: '2' }],
    });
    expect(body.data.questions[0].id).not.toBe(questions[0]?.id);
  });

  test('an imported rubric of whole submissions is scaled to 10', async () => {
    const scene = await homework.setUp();
    const teacher = createHttpClient({ baseUrl: homework.service.url, token: homework.admin });
    const document = { mode: 'add', max_points: 4, min_points: 1, items: [{ points: 3, text: 'Good' }] };
    const path = `/api/v3/grading/homeworks/${scene.classId}/rubric/import`;
    const imported = await teacher.post(path, document, { 'if-none-match': '*' });
    expect(imported.body.data).toMatchObject({ max_points: 10, min_points: 2.5, items: [{ points: 7.5 }] });
  });
});
