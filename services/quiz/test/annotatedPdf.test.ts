import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportedSubmissions } from '@gradeway/test/exportedSubmissions';
import { plainPdf } from '@gradeway/test/plainPdf';
import { boundsOf, renderWithPoppler, textOf } from '@gradeway/test/renderedPage';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grade, makeRubric, newGrader, submissionPath } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
let directory: string;
beforeAll(async () => {
  quiz = await startQuizService();
  directory = await mkdtemp(join(tmpdir(), 'gradeway-annotated-'));
});
afterAll(async () => {
  await quiz.close();
  await rm(directory, { recursive: true });
});

const answers = plainPdf([{ content: 'BT /F1 24 Tf 100 700 Td (Answer) Tj ET' }]);

async function newScene(content: Buffer = answers) {
  const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10' });
  await quiz.upload(scene, { file: new Blob([new Uint8Array(content)]) });
  const [submission] = await quiz.database.query<{ id: number; fileId: number }>(
    'SELECT id, file_id AS "fileId" FROM quiz.submissions WHERE quiz_id = $1',
    [scene.quizId],
  );
  if (!submission) throw new Error('not submitted');
  const grader = newGrader(quiz, scene.courseId);
  const path = `/api/v3/grading/quizzes/${scene.quizId}`;
  return { scene, grader, queue: { ...scene, submissionIds: [submission.id], path }, ...submission };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

const open = (url: string) => {
  const { pathname, search } = new URL(url);
  return fetch(quiz.service.url + pathname + search);
};
const annotatedUrl = async ({ grader, id }: Scene): Promise<string> =>
  (await grader.get(submissionPath(id))).body.data.annotated_url;

/** Opens the annotated PDF, and returns its path. */
async function openAnnotated(scene: Scene): Promise<string> {
  const answer = await open(await annotatedUrl(scene));
  if (answer.status !== 200) throw new Error(await answer.text());
  return save(Buffer.from(await answer.arrayBuffer()));
}

async function save(content: Buffer): Promise<string> {
  const path = join(directory, `${randomUUID()}.pdf`);
  await writeFile(path, content);
  return path;
}

const highlight = (fileId: number) => ({
  id: randomUUID(),
  file_id: fileId,
  page: 1,
  kind: 'highlight',
  rect: [100, 200, 60, 30],
  color: '#ff0000',
});
const isRed = ([red, green]: readonly [number, number, number]) => red > 200 && green < 200;

test("an annotated PDF has the grader's marks and a last page with grade, rubric and comment", async () => {
  const scene = await newScene();
  const { grader, queue, id, fileId } = scene;
  const { items, revision } = await makeRubric(grader, queue, {
    mode: 'subtract',
    max_points: 10,
    items: [
      { points: 2.5, text: 'The sign is wrong', explanation: 'in the last step' },
      { points: 1, text: 'No unit' },
    ],
  });
  const note = { ...highlight(fileId), kind: 'text', rect: [100, 400, 200, 50], text: 'Warum? なぜ' };
  await grade(grader, id, {
    selection: [items[0]?.id],
    rubric_revision: revision,
    adjustment: -0.5,
    comment: 'Read section 3.',
    annotations: [highlight(fileId), note],
  });
  const path = await openAnnotated(scene);
  const bounds = boundsOf(await renderWithPoppler(path), isRed);
  expect([bounds?.left, bounds?.bottom]).toEqual([100, 842 - 200]);
  expect(await textOf(path, 1)).toContain('Answer');
  expect(await textOf(path, 1)).toContain('なぜ');
  const last = await textOf(path, 2);
  for (const text of [
    'Quiz',
    'Ada Student',
    '7',
    '/ 10',
    'The sign is wrong',
    '−2.5',
    '−0.5',
    'Read section 3.',
  ])
    expect(last).toContain(text);
  expect(last).not.toContain('No unit');
});

test('an older URL shows the newest state, and the earlier copy is deleted', async () => {
  const scene = await newScene();
  const { grader, id, fileId } = scene;
  const url = await annotatedUrl(scene);
  const before = await quiz.storedFiles();
  expect(await textOf(await openAnnotated(scene), 2)).toContain('Not graded yet');
  await grade(grader, id, { grade: 7, annotations: [highlight(fileId)] });
  const path = await save(Buffer.from(await (await open(url)).arrayBuffer()));
  expect(await textOf(path, 2)).toContain('/ 10');
  expect(boundsOf(await renderWithPoppler(path), isRed)).toBeDefined();
  await quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, quiz.admin, { grade: 9, total_grade: 20 });
  expect(await textOf(await save(Buffer.from(await (await open(url)).arrayBuffer())), 2)).toContain('/ 20');
  const kept = 'SELECT submission_id FROM quiz.marked_pdfs WHERE submission_id = $1';
  expect(await quiz.database.query(kept, [id])).toHaveLength(1);
  await waitFor(async () => (await quiz.storedFiles()) <= before + 2);
});

test('a student opens the annotated PDF once the submission is graded', async () => {
  const scene = await newScene();
  const { grader, id, fileId } = scene;
  const path = `/api/v3/quiz/submissions/${id}`;
  const studentUrl = async () => (await quiz.get(path, scene.scene.student)).body.data.annotated_url;
  expect(await studentUrl()).toBeNull();
  await grade(grader, id, { grade: 7, annotations: [highlight(fileId)] });
  const answer = await open(await studentUrl());
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  const copy = await save(Buffer.from(await answer.arrayBuffer()));
  expect(boundsOf(await renderWithPoppler(copy), isRed)).toBeDefined();
});

test('a damaged file is not annotated and stays unchanged', async () => {
  const scene = await newScene(plainPdf([{ content: '' }, {}], { damagedPage: 1 }));
  const answer = await open(await annotatedUrl(scene));
  expect([answer.status, await answer.json()]).toEqual([
    409,
    { message: 'The file cannot be annotated', errors: null },
  ]);
  const { files } = (await scene.grader.get(submissionPath(scene.id))).body.data;
  expect((await open(files[0].url)).status).toBe(200);
});

test('an export contains an annotated copy of each file that can be annotated', async () => {
  const scene = await newScene();
  const { courseId } = scene.scene;
  await grade(scene.grader, scene.id, { grade: 7, annotations: [highlight(scene.fileId)] });
  const { grpcAddress } = quiz.service;
  const exported = await exportedSubmissions('quiz', grpcAddress, courseId, { annotated: true });
  expect(exported.map(({ name, annotated, isCopy }) => [name, annotated, isCopy])).toEqual([
    ['answers.pdf', true, false],
    ['answers (annotated).pdf', undefined, true],
  ]);
  const copy = await save(exported[1]?.content ?? Buffer.alloc(0));
  expect(exported[1]?.content.length).toBe(exported[1]?.size);
  expect(boundsOf(await renderWithPoppler(copy), isRed)).toBeDefined();
  expect(await textOf(copy, 2)).toContain('/ 10');
  const plain = await exportedSubmissions('quiz', grpcAddress, courseId);
  expect(plain.map(({ isCopy }) => isCopy)).toEqual([false]);
  expect(plain[0]).not.toHaveProperty('annotated');
});
