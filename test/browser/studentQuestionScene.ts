import type { HttpClient } from '@gradeway/test/httpClient';
import { plainPdf } from '@gradeway/test/plainPdf';
import { expect } from 'vitest';
import { createFixtures, grading } from './gradingScene.ts';
import { newStudentScene, type StudentScene, storedSheet } from './studentScene.ts';

/** A PDF of empty pages, to be chosen as a file. */
export const sheetOf = (pages: number) => ({
  name: 'answers.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(plainPdf(Array.from({ length: pages }, () => ({})))),
});
export interface QuestionScene extends StudentScene {
  /** The path of the quiz for graders. */
  item: string;
  admin: HttpClient;
  /** By label. */
  questionIds: Record<string, number>;
}

/** A student with a quiz whose questions have 4 points each. */
export async function newQuestionScene(labels = ['1', '2a', '2b', '3', '4']): Promise<QuestionScene> {
  const scene = await newStudentScene();
  const admin = await createFixtures().asAdmin();
  const item = `${grading}/quizzes/${scene.quiz.id}`;
  const { headers } = await admin.get(`${item}/questions`);
  const questions = labels.map((label) => ({ label, title: `Part ${label}`, max_points: 4 }));
  const answer = await admin.put(
    `${item}/questions`,
    { questions },
    { 'if-match': headers.get('etag') ?? '' },
  );
  expect(answer.status).toBe(200);
  const ids = answer.body.data.questions.map(({ id, label }: { id: number; label: string }) => [label, id]);
  return { ...scene, item, admin, questionIds: Object.fromEntries(ids) };
}

/** Hands in three pages for the student. Returns the id of the submission. */
export async function submit({ student, courseId, quiz }: QuestionScene): Promise<number> {
  const file = new File([new Uint8Array(sheetOf(3).buffer)], 'answers.pdf', { type: 'application/pdf' });
  await createFixtures().submitQuiz({ student, courseId, quizId: quiz.id }, { file });
  return (await storedSheet(quiz.id)).id;
}

/** Returns the pages of the student's answers, by label. */
export async function storedPages({
  student,
  quiz,
  questionIds,
}: QuestionScene): Promise<Record<string, number[]>> {
  const { id } = await storedSheet(quiz.id);
  const { pages } = (await student.get(`/api/v3/quiz/submissions/${id}`)).body.data;
  const pagesOf = (wanted: number) =>
    pages.flatMap((each: { question_id: number; page: number }) =>
      each.question_id === wanted ? [each.page] : [],
    );
  return Object.fromEntries(Object.entries(questionIds).map(([label, id]) => [label, pagesOf(id)]));
}

/** Gives every answer the same points, the first by a rubric and with a comment. */
export async function gradeAll(scene: QuestionScene, id: number, points = 3): Promise<void> {
  const { admin, item, questionIds } = scene;
  const [first = 0] = Object.values(questionIds);
  const items = [
    { points: 1, text: 'No base case' },
    { points: 2, text: 'No conclusion' },
  ];
  const rubric = await admin.put(
    `${item}/questions/${first}/rubric`,
    { mode: 'subtract', items },
    { 'if-none-match': '*' },
  );
  const selection = [rubric.body.data.items[0].id];
  const path = `${grading}/quizzes/submissions/${id}`;
  for (const { question_id, tag } of (await admin.get(path)).body.data.answers) {
    const body =
      question_id === first
        ? { selection, rubric_revision: rubric.body.data.revision, comment: 'Show the base case.' }
        : { points };
    expect((await admin.put(`${path}/questions/${question_id}`, body, { 'if-match': tag })).status).toBe(200);
  }
}

export const allowReviews = async ({ admin, item }: QuestionScene, perSubmission = 2) => {
  const reviews = { until: '2100-01-01T00:00:00Z', per_submission: perSubmission };
  expect((await admin.patch(item, { reviews })).status).toBe(200);
};
