import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, type Grader, grade, makeRubric, newGrader, type Queue, submissionPath } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

/** A submission with a one-page A4 sheet. */
async function newScene() {
  const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10' });
  await quiz.upload(scene);
  const [{ id, fileId }] = (await quiz.database.query(
    'SELECT id, file_id AS "fileId" FROM quiz.submissions WHERE quiz_id = $1',
    [scene.quizId],
  )) as [{ id: number; fileId: number }];
  const queue: Queue = { ...scene, submissionIds: [id], path: `/api/v3/grading/quizzes/${scene.quizId}` };
  return { scene, queue, id, fileId, grader: newGrader(quiz, scene.courseId), path: submissionPath(id) };
}

const mark = (fileId: number, change: object = {}) => ({
  id: randomUUID(),
  file_id: fileId,
  page: 1,
  kind: 'check',
  rect: [10.5, 20.25, 30, 40],
  ...change,
});
const absent = { points: null, text: null, color: null, item_id: null };
const annotationsOf = async (grader: Grader, path: string) => (await grader.get(path)).body.data.annotations;

describe('the files of a submission', () => {
  test('the files of a submission have their pages, their digest and a signed URL that opens', async () => {
    const { grader, path, fileId } = await newScene();
    const { data } = (await grader.get(path)).body;
    expect(data.files).toEqual([
      {
        id: fileId,
        name: 'answers.pdf',
        size: quiz.pdf.size,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        pages: 1,
        url: expect.stringContaining(`/api/v3/files/quiz/${fileId}?expires=`),
      },
    ]);
    const url = new URL(data.files[0].url);
    expect((await fetch(quiz.service.url + url.pathname + url.search)).status).toBe(200);
    expect(data.annotated_url).toMatch(/\?expires=\d+&signature=[\w-]+$/);
  });

  test('a submission without files has no annotated URL', async () => {
    const { grader, path, id } = await newScene();
    await quiz.database.query('UPDATE quiz.submissions SET file_id = NULL WHERE id = $1', [id]);
    expect((await grader.get(path)).body.data).toMatchObject({ files: [], annotated_url: null });
  });
});

describe('annotations', () => {
  test('annotations nested 200,000 levels deep are 422', async () => {
    const { grader, path } = await newScene();
    const nested = '['.repeat(200_000) + ']'.repeat(200_000);
    const headers = { 'content-type': 'application/json', 'if-match': '*', 'idempotency-key': path };
    const { status, body } = await grader.put(path, `{"grade": 1, "annotations": ${nested}}`, headers);
    expect([status, body.errors]).toEqual([422, { annotations: ['The annotations.0 must be an object.'] }]);
  });

  test('annotations are returned in order, with null for absent fields, and replace the earlier ones', async () => {
    const { grader, path, id, fileId } = await newScene();
    const marks = [
      mark(fileId, { kind: 'text', text: 'Why? なぜ', color: '#ff0000' }),
      mark(fileId, {
        kind: 'pen',
        points: [
          [1, 2],
          [3.5, 4.25],
        ],
      }),
      mark(fileId, { kind: 'point' }),
    ];
    const answer = await grade(grader, id, { grade: 5, annotations: marks });
    expect(answer.body.data.annotations).toEqual(marks.map((each) => ({ ...absent, ...each })));
    expect(await annotationsOf(grader, path)).toEqual(answer.body.data.annotations);
    await grade(grader, id, { annotations: marks.slice(1, 2) });
    expect(await annotationsOf(grader, path)).toEqual([{ ...absent, ...marks[1] }]);
    await grade(grader, id, { grade: 6 });
    expect(await annotationsOf(grader, path)).toHaveLength(1);
    await grade(grader, id, { annotations: [] });
    expect(await annotationsOf(grader, path)).toEqual([]);
  });

  test('changing only annotations changes the tag, but adds neither a history entry nor an event', async () => {
    const { grader, id, fileId, path } = await newScene();
    const graded = await grade(grader, id, { grade: 5 });
    const marked = await grade(grader, id, { annotations: [mark(fileId)] });
    expect(marked.status).toBe(200);
    expect(etagOf(marked)).not.toBe(etagOf(graded));
    expect(marked.body.data).toMatchObject({ revision: 1, graded_at: graded.body.data.graded_at });
    expect((await grader.get(`${path}/history`)).body.data).toHaveLength(1);
    const stale = await grader.put(path, { annotations: [] }, { 'if-match': etagOf(graded) });
    expect(stale.status).toBe(412);
  });

  test('when two graders save annotations at once, one succeeds and the other gets 412', async () => {
    const { grader, id, fileId, path, scene } = await newScene();
    const other = newGrader(quiz, scene.courseId);
    const seen = etagOf(await grade(grader, id, { grade: 5 }));
    const answers = await Promise.all(
      [grader, other].map((each) => each.put(path, { annotations: [mark(fileId)] }, { 'if-match': seen })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await annotationsOf(grader, path)).toEqual(winner?.body.data.annotations);
  });

  test.each([
    ['on a page that is not there', { page: 2 }, 'page 2 of answers.pdf, which has 1 pages'],
    ['outside the page', { rect: [590, 0, 10, 10] }, 'outside page 1 of answers.pdf'],
    ['on a file of another submission', { file_id: 999_999 }, 'file 999999'],
    ['of an unknown item', { item_id: 999_999 }, 'item_id 999999'],
    ['without an id', { id: undefined }, 'annotations.0.id'],
  ])('annotations are 422: %s', async (_, change, message) => {
    const { grader, id, fileId } = await newScene();
    const answer = await grade(grader, id, { grade: 5, annotations: [mark(fileId, change)] });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { annotations: [expect.stringContaining(message)] },
    ]);
  });

  test('annotations that refer to a rubric item lose the reference when the item is removed', async () => {
    const { grader, queue, id, fileId, path } = await newScene();
    const { items } = await makeRubric(grader, queue, {
      mode: 'add',
      max_points: 10,
      items: [
        { points: 1, text: 'One' },
        { points: 2, text: 'Two' },
      ],
    });
    const [first, second] = items.map((item) => item.id);
    await grade(grader, id, {
      grade: 5,
      annotations: [mark(fileId, { item_id: first }), mark(fileId, { item_id: second })],
    });
    const tag = etagOf(await grader.get(`${queue.path}/rubric`));
    await grader.put(
      `${queue.path}/rubric`,
      { mode: 'add', max_points: 10, items: items.slice(0, 1) },
      { 'if-match': tag },
    );
    const marks = await annotationsOf(grader, path);
    expect(marks.map(({ item_id }: { item_id: number }) => item_id)).toEqual([first, null]);
  });

  test('annotations of 256 KiB are stored, and a body beyond 512 KiB is 413', async () => {
    const { grader, id, fileId } = await newScene();
    const pen = () =>
      mark(fileId, { kind: 'pen', points: Array.from({ length: 2_000 }, () => [100.25, 200.75]) });
    const most = Math.floor((256 * 1024) / (JSON.stringify(pen()).length + 1));
    expect(
      (await grade(grader, id, { grade: 5, annotations: Array.from({ length: most }, pen) })).status,
    ).toBe(200);
    const more = await grade(grader, id, { annotations: Array.from({ length: most + 1 }, pen) });
    expect([more.status, Object.keys(more.body.errors)]).toEqual([422, ['annotations']]);
    expect((await grade(grader, id, { grade: 5, filler: 'x'.repeat(512 * 1024) })).status).toBe(413);
  });
});
