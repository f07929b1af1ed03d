import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@gradeway/local/demoPdf';
import { plainPdf } from '@gradeway/test/plainPdf';
import { boundsOf, renderWithPoppler, textOf } from '@gradeway/test/renderedPage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  asAdmin,
  assignInstructor,
  callAs,
  newScene,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
} from './fixtures.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-annotated-'));
});
afterAll(() => rm(directory, { recursive: true }));

const sheet = (label: string) =>
  new Blob([new Uint8Array(plainPdf([{ content: `BT /F1 24 Tf 100 700 Td (${label}) Tj ET` }]))]);
const highlight = (fileId: number) => ({
  id: randomUUID(),
  file_id: fileId,
  page: 1,
  kind: 'highlight',
  rect: [100, 200, 60, 30],
  color: '#ff0000',
});
const isRed = ([red, green]: readonly [number, number, number]) => red > 200 && green < 200;

/** Opens a signed URL without a token, and returns the path of its PDF. */
async function save(url: string): Promise<string> {
  const answer = await callAs().get(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const path = join(directory, `${randomUUID()}.pdf`);
  await writeFile(path, answer.body);
  return path;
}

async function instructorOf(courseId: number) {
  const instructor = await newStudent({ role: 'instructor' });
  await assignInstructor(courseId, instructor);
  return instructor;
}

test('the marks of an instructor are in the PDF that the instructor and the student open', async () => {
  const scene = await newScene();
  await submitQuiz(scene, { file: sheet('Answer') });
  const [{ id }] = await quizSubmissions(scene.quizId);
  const instructor = await instructorOf(scene.courseId);
  const path = `/api/v3/grading/quizzes/submissions/${id}`;
  const { files } = (await instructor.get(path)).body.data;
  const grading = { grade: 7, total_grade: 10, comment: 'Well done', annotations: [highlight(files[0].id)] };
  const graded = await instructor.put(path, grading, { 'if-match': '*' });
  expect(graded.status).toBe(200);
  const own = (await scene.student.get(`/api/v3/quiz/submissions/${id}`)).body.data;
  for (const url of [graded.body.data.annotated_url, own.annotated_url]) {
    const pdf = await save(url);
    const bounds = boundsOf(await renderWithPoppler(pdf), isRed);
    expect([bounds?.left, bounds?.bottom]).toEqual([100, 842 - 200]);
    expect(await textOf(pdf, 1)).toContain('Answer');
    expect(await textOf(pdf, 2)).toContain('Well done');
  }
  // The stored file is unchanged.
  expect(boundsOf(await renderWithPoppler(await save(own.pdf_answer_url)), isRed)).toBeUndefined();
});

test('all files of a homework submission are in one PDF, in order, and the archive has a copy of each', async () => {
  const scene = await newScene();
  const submitted = await submitHomework(scene, [sheet('One'), sheet('Two')]);
  const { id } = submitted.body.data;
  const instructor = await instructorOf(scene.courseId);
  const path = `/api/v3/grading/homeworks/submissions/${id}`;
  const { files } = (await instructor.get(path)).body.data;
  await instructor.put(path, { grade: 8, annotations: [highlight(files[1].id)] }, { 'if-match': '*' });
  const pdf = await save((await instructor.get(path)).body.data.annotated_url);
  for (const [index, text] of ['One', 'Two', '/ 10'].entries())
    expect(await textOf(pdf, index + 1)).toContain(text);
  const marked = await Promise.all(
    [1, 2].map(async (page) => boundsOf(await renderWithPoppler(pdf, page), isRed) !== undefined),
  );
  expect(marked).toEqual([false, true]);
  const archive = `/api/v3/admin/courses/${scene.courseId}/submissions.zip?annotated=1`;
  const { status, body } = await (await asAdmin()).get(archive);
  expect(status).toBe(200);
  // Names are not compressed.
  expect(body.toString('latin1').split(' (annotated)').length - 1).toBeGreaterThanOrEqual(4);
});

test('a file with an owner password is annotated', async () => {
  const scene = await newScene();
  const content = await makePdf('Owned', { ownerPassword: 'hidden' });
  await submitQuiz(scene, { file: new Blob([new Uint8Array(content)]) });
  const [{ id }] = await quizSubmissions(scene.quizId);
  const instructor = await instructorOf(scene.courseId);
  const path = `/api/v3/grading/quizzes/submissions/${id}`;
  const { files } = (await instructor.get(path)).body.data;
  await instructor.put(
    path,
    { grade: 7, total_grade: 10, annotations: [highlight(files[0].id)] },
    { 'if-match': '*' },
  );
  const own = (await scene.student.get(`/api/v3/quiz/submissions/${id}`)).body.data;
  expect(boundsOf(await renderWithPoppler(await save(own.annotated_url)), isRed)).toBeDefined();
  const unknown = own.annotated_url.replace(/annotated\/\d+/, 'annotated/999999');
  expect((await callAs().get(unknown)).status).toBe(403);
});
