import { freePort } from '@gradeway/local/ports';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { createHttpClient, form } from '@gradeway/test/httpClient';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/* A rubric of the other kind is read from the other service. */

type Service = 'quiz' | 'homework';
type Kind = 'quizzes' | 'homeworks';
const kinds = { quiz: 'quizzes', homework: 'homeworks' } as const;
const otherOf = { quiz: 'homework', homework: 'quiz' } as const;

let database: TestDatabase;
let peers: FakePeers;
let tokens: TokenIssuer;
let services: Record<Service, ServiceProcess>;
beforeAll(async () => {
  [database, peers, tokens] = await Promise.all([createTestDatabase(), startFakePeers(), startTokenIssuer()]);
  const [quizPort, homeworkPort] = await Promise.all([freePort(), freePort()]);
  const addresses = { QUIZ_GRPC: `127.0.0.1:${quizPort}`, HOMEWORK_GRPC: `127.0.0.1:${homeworkPort}` };
  const start = (service: Service, port: number) =>
    startService({ service, database, peers, tokens, env: { ...addresses, GRPC_PORT: String(port) } });
  const [quiz, homework] = await Promise.all([start('quiz', quizPort), start('homework', homeworkPort)]);
  services = { quiz, homework };
});
afterAll(async () => {
  await Promise.all(Object.values(services ?? {}).map((service) => service.stop()));
  await Promise.all([peers?.close(), tokens?.close()]);
  await database?.drop();
});

const clientOf = (service: Service, token: string) =>
  createHttpClient({ baseUrl: services[service].url, token });

let lastId = 100;

/** A new item of a course that the instructor teaches. */
async function newItem(service: Service, instructorId: number): Promise<number> {
  lastId += 2;
  const [courseId, classId] = [lastId, lastId + 1];
  peers.courses.push({ courseId, title: `Course ${courseId}`, revision: 1 });
  peers.classes.push({ classId, courseId, title: 'Class', createdAt: null, revision: 1 });
  peers.teaching.add(`${instructorId}/${courseId}`);
  const admin = clientOf(service, tokens.sign(1, 'admin'));
  if (service === 'homework') {
    const { status } = await admin.put(`/api/v3/admin/homeworks/${classId}`, form({}));
    expect(status).toBe(201);
    return classId;
  }
  const fields = { title: 'Quiz', course_id: String(courseId), total_grade_for_quiz_pdf: '10' };
  return (await admin.post('/api/v3/quiz/pdf-quizzes', form(fields))).body.data.id;
}

function newInstructor() {
  lastId += 2;
  const id = 1_000_000 + lastId;
  const token = tokens.sign(id, 'instructor');
  return { id, quiz: clientOf('quiz', token), homework: clientOf('homework', token) };
}
type Instructor = ReturnType<typeof newInstructor>;

const isNew = { 'if-none-match': '*' };
const rubric = {
  mode: 'subtract',
  max_points: 10,
  min_points: 0.5,
  items: [
    { points: 0.1, text: 'A tenth', explanation: 'Of a point', group: 'Signs', key: 'a' },
    { points: 3.0001, text: 'Three', explanation: null, group: null, key: null },
  ],
};

const pathOf = (service: Service, itemId: number) => `/api/v3/grading/${kinds[service]}/${itemId}`;

const importInto = (instructor: Instructor, service: Service, itemId: number, from: object) =>
  instructor[service].post(`${pathOf(service, itemId)}/rubric/import`, { from }, isNew);

describe.each(['quiz', 'homework'] as const)('a rubric that %s imports from the other service', (service) => {
  const other = otherOf[service];
  const kind: Kind = kinds[other];

  test('has the items of whole submissions, exactly', async () => {
    const instructor = newInstructor();
    const [source, target] = [await newItem(other, instructor.id), await newItem(service, instructor.id)];
    const made = await instructor[other].put(`${pathOf(other, source)}/rubric`, rubric, isNew);
    expect(made.status).toBe(201);
    const imported = await importInto(instructor, service, target, { kind, item_id: source });
    expect([imported.status, imported.body.data]).toMatchObject([201, rubric]);
  });

  test('has the items of a question, scaled to the maximum of the target', async () => {
    const instructor = newInstructor();
    const [source, target] = [await newItem(other, instructor.id), await newItem(service, instructor.id)];
    const outlineOf = async (of: Service, itemId: number, maxPoints: number): Promise<string> => {
      const questions = [{ label: '1', max_points: maxPoints }];
      const path = `${pathOf(of, itemId)}/questions`;
      const { body } = await instructor[of].put(path, { questions }, { 'if-match': '*' });
      return `${path}/${body.data.questions[0].id}/rubric`;
    };
    const sourceAt = await outlineOf(other, source, 10);
    expect((await instructor[other].put(sourceAt, rubric, isNew)).status).toBe(201);
    const from = { kind, item_id: source, question_id: Number(sourceAt.split('/').at(-2)) };
    const targetAt = await outlineOf(service, target, 5);
    const dry = await instructor[service].post(`${targetAt}/import?dry_run=1`, { from }, isNew);
    expect(dry.status).toBe(422);
    expect(Object.keys(dry.body.errors)).toEqual(['items']);

    const items = [{ points: 3, text: 'Three' }];
    const changed = await instructor[other].put(sourceAt, { ...rubric, items }, { 'if-match': '*' });
    expect(changed.status).toBe(200);
    const imported = await instructor[service].post(`${targetAt}/import`, { from }, isNew);
    expect([imported.status, imported.body.data]).toMatchObject([
      201,
      { mode: 'subtract', max_points: 5, min_points: 0.25, items: [{ points: 1.5, text: 'Three' }] },
    ]);
  });

  test('comes only from an item that the caller teaches, like one that does not exist', async () => {
    const [instructor, stranger] = [newInstructor(), newInstructor()];
    const [foreign, own] = [await newItem(other, stranger.id), await newItem(other, instructor.id)];
    await stranger[other].put(`${pathOf(other, foreign)}/rubric`, rubric, isNew);
    const target = await newItem(service, instructor.id);
    for (const from of [
      { kind, item_id: foreign },
      { kind, item_id: own },
      { kind, item_id: own, question_id: 2_000_000_000 },
      { kind, item_id: 2_000_000_000 },
    ]) {
      const { status, body } = await importInto(instructor, service, target, from);
      expect([status, body.errors]).toEqual([422, { from: ['The selected from is invalid.'] }]);
    }
  });
});

test('an import is 503 while the other service is unreachable, and everything else works', async () => {
  const instructor = newInstructor();
  const [source, target] = [await newItem('homework', instructor.id), await newItem('quiz', instructor.id)];
  services.homework.kill('SIGKILL');
  try {
    const failed = await importInto(instructor, 'quiz', target, { kind: 'homeworks', item_id: source });
    expect([failed.status, failed.body.message]).toEqual([503, 'Service Unavailable']);
    expect((await instructor.quiz.put(`${pathOf('quiz', target)}/rubric`, rubric, isNew)).status).toBe(201);
  } finally {
    await services.homework.start();
  }
});
