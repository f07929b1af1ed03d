import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '@gradeway/test/httpClient';
import { plainPdf } from '@gradeway/test/plainPdf';
import { textOf } from '@gradeway/test/renderedPage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, type Grader, grade, makeRubric, newGrader, newQueue, submissionPath } from './graders.ts';
import { makeAnonymous, setSettings } from './items.ts';
import { addQuestions, answerPath } from './questions.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
let directory: string;
beforeAll(async () => {
  quiz = await startQuizService();
  directory = await mkdtemp(join(tmpdir(), 'gradeway-anonymous-'));
});
afterAll(async () => {
  await quiz.close();
  await rm(directory, { recursive: true });
});

const sheet = plainPdf([{ content: 'BT /F1 24 Tf 100 700 Td (Answer) Tj ET' }]);
const rubric = { mode: 'add', max_points: 10, items: [{ points: 6, text: 'The proof is complete.' }] };

/** An anonymous quiz with the submission of one student, graded with a rubric. The student's data is recognizable. */
async function newScene() {
  const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10' });
  const account = quiz.peers.users.find(({ userId }) => userId === scene.studentId);
  const name = { firstName: 'Zebulon', lastName: 'Quixote', email: 'zebulon@quixote.example' };
  Object.assign(account ?? {}, name);
  const file = new File([new Uint8Array(sheet)], 'quixote-zebulon.pdf');
  await quiz.upload(scene, { file });
  // A student with a recognizable id, which is not part of any other number.
  const studentId = 1_900_000_000 + scene.studentId;
  await quiz.database.query('UPDATE quiz.people SET user_id = $2 WHERE user_id = $1', [
    scene.studentId,
    studentId,
  ]);
  const [row] = await quiz.database.query<{ id: number; fileId: number; code: string }>(
    `UPDATE quiz.submissions SET student_id = $2 WHERE quiz_id = $1 RETURNING id, file_id AS "fileId", code`,
    [scene.quizId, studentId],
  );
  if (!row) throw new Error('not submitted');
  const path = `/api/v3/grading/quizzes/${scene.quizId}`;
  const grader = newGrader(quiz, scene.courseId);
  quiz.peers.graders.add(`${grader.id}/${scene.courseId}`);
  const made = await makeRubric(grader, { ...scene, submissionIds: [row.id], path }, rubric);
  await makeAnonymous(quiz, scene);
  const selection = { selection: [made.items[0]?.id], rubric_revision: made.revision };
  return { ...scene, ...row, studentId, path, grader, selection };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

const open = (url: string): Promise<Answer> => {
  const { pathname, search } = new URL(url);
  return quiz.get(pathname + search, '');
};

/** Expects that a response, its headers and its linked files do not reveal the student. */
async function expectNobody(answer: Answer, { studentId }: Scene): Promise<void> {
  expect(answer.status).toBeLessThan(500);
  const headers = [...answer.headers].flat().join('\n');
  const text = Buffer.isBuffer(answer.body) ? await textIn(answer.body) : JSON.stringify(answer.body);
  const all = decodeURIComponent(`${headers}\n${text}`.replaceAll('%', '%25')).toLowerCase();
  for (const secret of ['zebulon', 'quixote', String(studentId)]) expect(all).not.toContain(secret);
  for (const url of linksIn(answer.body)) await expectNobody(await open(url), { studentId } as Scene);
}

async function textIn(pdf: Buffer): Promise<string> {
  const path = join(directory, `${randomUUID()}.pdf`);
  await writeFile(path, pdf);
  return `${await textOf(path)}\n${pdf.toString('latin1')}`;
}

const linksIn = (body: unknown): string[] =>
  Buffer.isBuffer(body) ? [] : (JSON.stringify(body)?.match(/https?:\/\/[^"]*\/files\/[^"]*/g) ?? []);

type Request = (scene: Scene, grader: Grader) => Promise<Answer>;

const put = async ({ id }: Scene, grader: Grader, body: object) => grade(grader, id, body);
/** Sends a request about the submission's answer to a new question. */
async function withAnswer(scene: Scene, send: (path: string) => Promise<Answer>): Promise<Answer> {
  const { questionIds } = await addQuestions(quiz, scene, [5]);
  return send(answerPath(scene.id, questionIds[0]));
}
/** Sends a request about a new question of the quiz. */
async function withQuestion(
  scene: Scene,
  send: (path: string, submissionIds: number[]) => Promise<Answer>,
): Promise<Answer> {
  const { questionIds } = await addQuestions(quiz, scene, [5]);
  return send(`${scene.path}/questions/${questionIds[0]}`, [scene.id]);
}
/** Sends a request about a new group that contains the submission's answer. */
const withGroup = (scene: Scene, grader: Grader, send: (path: string) => Promise<Answer>) =>
  withQuestion(scene, async (path, submission_ids) => {
    const { body } = await grader.post(`${path}/groups`, { title: 'Alike', submission_ids });
    return send(`${path}/groups/${body.data.id}`);
  });
const openReview = ({ id }: Scene, grader: Grader) =>
  grader.post(`${submissionPath(id)}/reviews`, { text: 'The second step follows.' });
const any = { 'if-match': '*' };
const ifRubric = async ({ path }: Scene, grader: Grader) => ({
  'if-match': etagOf(await grader.get(`${path}/rubric`)),
});
const misplaced = (fileId: number) => ({
  id: randomUUID(),
  file_id: fileId,
  page: 9,
  kind: 'check',
  rect: [1, 1, 1, 1],
});

/** Requests to every path of an item and its submissions that is open to graders, by method and path. */
const requests: Record<string, Request[]> = {
  'GET /quizzes': [(_, grader) => grader.get('/api/v3/grading/quizzes')],
  'GET /quizzes/:item_id': [({ path }, grader) => grader.get(path)],
  'GET /quizzes/:item_id/submissions': [
    ({ path }, grader) => grader.get(`${path}/submissions`),
    ({ path, code }, grader) => grader.get(`${path}/submissions?search=${code}`),
    async (scene, grader) => {
      const { questionIds } = await addQuestions(quiz, scene, [5]);
      return grader.get(`${scene.path}/submissions?question_id=${questionIds[0]}&search=${scene.code}`);
    },
  ],
  'POST /quizzes/:item_id/submissions': [
    ({ path }, grader) => grader.post(`${path}/submissions`, new FormData()),
  ],
  'GET /quizzes/:item_id/students': [({ path }, grader) => grader.get(`${path}/students`)],
  'POST /quizzes/:item_id/next': [({ path }, grader) => grader.post(`${path}/next`, {})],
  'GET /quizzes/:item_id/rubric': [({ path }, grader) => grader.get(`${path}/rubric`)],
  'PUT /quizzes/:item_id/rubric': [
    async (scene, grader) => {
      await put(scene, grader, scene.selection);
      const id = scene.selection.selection[0];
      const changed = { ...rubric, items: [{ ...rubric.items[0], id, points: 3 }] };
      return grader.put(`${scene.path}/rubric?dry_run=1`, changed, await ifRubric(scene, grader));
    },
  ],
  'DELETE /quizzes/:item_id/rubric': [
    async (scene, grader) => grader.delete(`${scene.path}/rubric`, await ifRubric(scene, grader)),
  ],
  'POST /quizzes/:item_id/rubric/import': [
    ({ path }, grader) => grader.post(`${path}/rubric/import`, rubric, any),
  ],
  'GET /quizzes/:item_id/questions': [
    (scene, grader) => withQuestion(scene, () => grader.get(`${scene.path}/questions`)),
  ],
  'PUT /quizzes/:item_id/questions': [
    async (scene, grader) => {
      await withAnswer(scene, (path) => grader.put(path, { points: 1 }, any));
      const more = { questions: [{ label: '1', max_points: 3 }] };
      return grader.put(`${scene.path}/questions?dry_run=1`, more, any);
    },
  ],
  'GET /quizzes/:item_id/questions/:question_id/rubric': [
    (scene, grader) => withQuestion(scene, (path) => grader.get(`${path}/rubric`)),
  ],
  'PUT /quizzes/:item_id/questions/:question_id/rubric': [
    (scene, grader) =>
      withQuestion(scene, (path) =>
        grader.put(`${path}/rubric`, { ...rubric, max_points: 5 }, { 'if-none-match': '*' }),
      ),
  ],
  'DELETE /quizzes/:item_id/questions/:question_id/rubric': [
    (scene, grader) => withQuestion(scene, (path) => grader.delete(`${path}/rubric`, any)),
  ],
  'POST /quizzes/:item_id/questions/:question_id/rubric/import': [
    (scene, grader) =>
      withQuestion(scene, (path) => grader.post(`${path}/rubric/import`, rubric, { 'if-none-match': '*' })),
  ],
  'GET /quizzes/:item_id/questions/:question_id/groups': [
    (scene, grader) => withQuestion(scene, (path) => grader.get(`${path}/groups`)),
  ],
  'POST /quizzes/:item_id/questions/:question_id/groups': [
    (scene, grader) =>
      withQuestion(scene, (path, submission_ids) =>
        grader.post(`${path}/groups`, { title: 'Alike', submission_ids }),
      ),
  ],
  'GET /quizzes/:item_id/questions/:question_id/groups/:group_id': [
    (scene, grader) => withGroup(scene, grader, (path) => grader.get(path)),
  ],
  'PATCH /quizzes/:item_id/questions/:question_id/groups/:group_id': [
    (scene, grader) => withGroup(scene, grader, (path) => grader.patch(path, { title: 'Same' })),
  ],
  'DELETE /quizzes/:item_id/questions/:question_id/groups/:group_id': [
    (scene, grader) => withGroup(scene, grader, (path) => grader.delete(path)),
  ],
  'PUT /quizzes/:item_id/questions/:question_id/groups/:group_id/grading': [
    (scene, grader) => withGroup(scene, grader, (path) => grader.put(`${path}/grading`, { points: 1 }, any)),
  ],
  'GET /quizzes/:item_id/reviews': [
    async (scene, grader) => {
      await openReview(scene, grader);
      return grader.get(`${scene.path}/reviews`);
    },
  ],
  'POST /quizzes/:item_id/reviews/next': [
    async (scene, grader) => {
      await openReview(scene, grader);
      return grader.post(`${scene.path}/reviews/next`);
    },
  ],
  'PUT /quizzes/reviews/:id': [
    async (scene, grader) => {
      const { body } = await openReview(scene, grader);
      const answer = { state: 'closed', answer: 'The points are right.' };
      return grader.put(`/api/v3/grading/quizzes/reviews/${body.data.id}`, answer, any);
    },
  ],
  'PUT /quizzes/submissions/:id/pages': [
    ({ id }, grader) => grader.put(`${submissionPath(id)}/pages`, { pages: [] }),
  ],
  'POST /quizzes/submissions/:id/reviews': [openReview],
  'GET /quizzes/:item_id/progress': [
    async (scene, grader) => {
      await withAnswer(scene, (path) => grader.put(path, { points: 1 }, { 'if-match': '*' }));
      return grader.get(`${scene.path}/progress`);
    },
  ],
  'GET /quizzes/:item_id/statistics': [({ path }, grader) => grader.get(`${path}/statistics`)],
  'GET /quizzes/:item_id/allowances': [({ path }, grader) => grader.get(`${path}/allowances`)],
  'GET /quizzes/submissions/:id': [({ id }, grader) => grader.get(submissionPath(id))],
  'PUT /quizzes/submissions/:id': [
    (scene, grader) => put(scene, grader, { grade: 7, comment: 'Well done' }),
    (scene, grader) => put(scene, grader, { grade: 7, annotations: [misplaced(scene.fileId)] }),
    ({ id }, grader) => grader.put(submissionPath(id), { grade: 1 }, { 'if-match': '"stale"' }),
  ],
  'DELETE /quizzes/submissions/:id/grade': [
    ({ id }, grader) => grader.delete(`${submissionPath(id)}/grade`, { 'if-match': '"stale"' }),
  ],
  'PUT /quizzes/submissions/:id/claim': [({ id }, grader) => grader.put(`${submissionPath(id)}/claim`)],
  'DELETE /quizzes/submissions/:id/claim': [({ id }, grader) => grader.delete(`${submissionPath(id)}/claim`)],
  'PUT /quizzes/submissions/:id/questions/:question_id': [
    (scene, grader) => withAnswer(scene, (path) => grader.put(path, { points: 1 }, { 'if-match': '*' })),
    (scene, grader) =>
      withAnswer(scene, (path) => grader.put(path, { points: 1 }, { 'if-match': '"stale"' })),
  ],
  'DELETE /quizzes/submissions/:id/questions/:question_id': [
    (scene, grader) => withAnswer(scene, (path) => grader.delete(path, { 'if-match': '"stale"' })),
  ],
  'PUT /quizzes/submissions/:id/questions/:question_id/claim': [
    (scene, grader) => withAnswer(scene, (path) => grader.put(`${path}/claim`)),
  ],
  'DELETE /quizzes/submissions/:id/questions/:question_id/claim': [
    (scene, grader) => withAnswer(scene, (path) => grader.delete(`${path}/claim`)),
  ],
  'PUT /quizzes/submissions/:id/late': [
    ({ id }) => newGrader(quiz, undefined, 'admin').put(`${submissionPath(id)}/late`, { waived: true }),
  ],
  'GET /quizzes/submissions/:id/history': [
    async (scene, grader) => {
      await put(scene, grader, { grade: 7 });
      return grader.get(`${submissionPath(scene.id)}/history`);
    },
  ],
};

// These requests change an item or an allowance as a teacher, who sees names there.
const ofTeachers = [
  /^POST \/quizzes$/,
  /^(PATCH|DELETE) \/quizzes\/:item_id$/,
  /\/(copy|release|grades)$/,
  /^(POST|PUT|DELETE) .*\/allowances/,
];

describe('an anonymous quiz', () => {
  test('the table has every route for graders', async () => {
    const table = await readFile(
      new URL('../../../gateway/src/routing/routeTable.ts', import.meta.url),
      'utf8',
    );
    const paths = [...table.matchAll(/\['(\w+)', +'\/api\/v3\/grading(\/quizzes[^']*)'/g)]
      .map(([, method, path]) => `${method} ${path}`)
      .filter((route) => !ofTeachers.some((pattern) => pattern.test(route)));
    expect(Object.keys(requests)).toEqual(expect.arrayContaining(paths));
  });

  test.each(
    Object.entries(requests).flatMap(([route, all]) => all.map((request) => [route, request] as const)),
  )('%s of an anonymous quiz reveals no student', async (_, request) => {
    const scene = await newScene();
    await expectNobody(await request(scene, scene.grader), scene);
  });

  test('the same requests to a quiz that is not anonymous reveal the student', async () => {
    const scene = await newScene();
    await setSettings(quiz, scene, 'anonymous = false');
    for (const path of [`${scene.path}/submissions`, `${scene.path}/students`, submissionPath(scene.id)])
      await expect(expectNobody(await scene.grader.get(path), scene)).rejects.toThrow();
  });

  test('a code replaces the student of an anonymous submission, and the names of its files are hidden', async () => {
    const scene = await newScene();
    const [row] = (await scene.grader.get(`${scene.path}/submissions`)).body.data;
    expect(row.student).toEqual({ id: null, name: `Student ${scene.code}`, email: '' });
    expect(scene.code).toMatch(/^[A-Z0-9]{4}$/);
    const { body } = await scene.grader.get(submissionPath(scene.id));
    expect(body.data).toMatchObject({ student: row.student, files: [{ name: 'answer.pdf' }] });
    const file = await open(body.data.files[0].url);
    expect(file.headers.get('content-disposition')).toBe('inline; filename=answer.pdf');
  });

  test('a search in an anonymous quiz matches only the code', async () => {
    const { path, grader, code, id } = await newScene();
    const found = async (search: string) =>
      (await grader.get(`${path}/submissions?search=${search}`)).body.data.map(
        (row: { id: number }) => row.id,
      );
    expect(await found(code)).toEqual([id]);
    expect(await found(code.slice(1).toLowerCase())).toEqual([id]);
    for (const search of ['zebulon', 'quixote', 'school', 'zeb']) expect(await found(search)).toEqual([]);
  });

  test('the release of the grades shows the students of an anonymous quiz again', async () => {
    const scene = await newScene();
    await setSettings(quiz, scene, 'released_at = now()');
    const { body } = await scene.grader.get(submissionPath(scene.id));
    expect(body.data).toMatchObject({
      student: { id: scene.studentId, name: 'Zebulon Quixote' },
      files: [{ name: 'quixote-zebulon.pdf' }],
    });
    const found = await scene.grader.get(`${scene.path}/submissions?search=quixote`);
    expect(found.body.data).toHaveLength(1);
  });

  test('the grading of an anonymous submission reaches the right student', async () => {
    const scene = await newScene();
    await put(scene, scene.grader, { grade: 7 });
    const events = await quiz.database.query<{ data: object }>(
      `SELECT body->'data' AS data FROM quiz.outbox WHERE type = 'quiz.submission.graded.v1'
         AND body->'data'->>'submission_id' = $1::text`,
      [scene.id],
    );
    expect(events).toEqual([{ data: expect.objectContaining({ student_id: scene.studentId, grade: 7 }) }]);
  });

  test('an administrator sees the students of an anonymous quiz in the list defined by the specification', async () => {
    const scene = await newScene();
    const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, quiz.admin);
    expect(body.data.submissions).toEqual([expect.objectContaining({ student_name: 'Zebulon Quixote' })]);
  });
});

describe('the shuffled order', () => {
  const idsIn = (answer: Answer): number[] => answer.body.data.map(({ id }: { id: number }) => id);

  test('the queue, its pages and next share the shuffled order, which does not change when submissions arrive', async () => {
    const queue = await newQueue(quiz, 30);
    const grader = newGrader(quiz, queue.courseId);
    await setSettings(quiz, queue, "submission_order = 'shuffled'");
    const order = idsIn(await grader.get(`${queue.path}/submissions`));
    expect(order.toSorted((one, other) => one - other)).toEqual(queue.submissionIds);
    expect(order).not.toEqual(queue.submissionIds);
    const paged: number[] = [];
    for (let url: string | null = `${queue.path}/submissions?per_page=7`; url; ) {
      const answer = await grader.get(url.replace(/^https?:\/\/[^/]+/, ''));
      paged.push(...idsIn(answer));
      url = answer.body.links.next;
    }
    expect(paged).toEqual(order);
    const next = await grader.post(`${queue.path}/next`, {});
    expect(next.body.data.id).toBe(order[0]);
    await quiz.upload(queue);
    const grown = idsIn(await grader.get(`${queue.path}/submissions`));
    expect(grown.filter((id) => order.includes(id))).toEqual(order);
    // The student replaces the sheet.
    await quiz.upload(queue);
    expect(idsIn(await grader.get(`${queue.path}/submissions`))).toEqual(grown);
  });

  test('turning shuffling off and on restores the same order, and a cursor keeps the order it was issued for', async () => {
    const queue = await newQueue(quiz, 12);
    const grader = newGrader(quiz, queue.courseId);
    await setSettings(quiz, queue, "submission_order = 'shuffled'");
    const first = await grader.get(`${queue.path}/submissions?per_page=5`);
    await setSettings(quiz, queue, "submission_order = 'arrival'");
    expect(idsIn(await grader.get(`${queue.path}/submissions`))).toEqual(queue.submissionIds);
    const rest = await grader.get(first.body.links.next);
    await setSettings(quiz, queue, "submission_order = 'shuffled'");
    const order = idsIn(await grader.get(`${queue.path}/submissions`));
    expect(order.slice(0, 5)).toEqual(idsIn(first));
    expect(order.slice(5, 10)).toEqual(idsIn(rest));
  });
});
