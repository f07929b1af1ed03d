import { pdf } from '@gradeway/test/httpClient';
import { expect, test } from 'vitest';
import { asAdmin, callAs, newQuiz, newScene, quizSubmissions, submitQuiz } from './fixtures.ts';

const toSeconds = (ms: number) => new Date(ms).toISOString().slice(0, 19);

test('the attempt starts when the questions are first opened, and a start_at that disagrees is flagged, not refused', async () => {
  const { courseId, student } = await newScene();
  const quizId = await newQuiz(courseId, { file: await pdf(), duration_minutes: '45' });
  const available = async () => {
    const { body } = await student.get('/api/v3/quiz/available');
    return body.data.find(({ id }: { id: number }) => id === quizId);
  };
  const before = await available();
  expect(before).toMatchObject({ started_at: null, remaining_seconds: null });
  expect((await callAs().get(before.questions_pdf_url)).status).toBe(200);
  const { started_at, remaining_seconds } = await available();
  expect(started_at).not.toBeNull();
  expect(remaining_seconds).toBeGreaterThan(44 * 60);
  expect(remaining_seconds).toBeLessThanOrEqual(45 * 60);

  const claimed = Date.now() - 10 * 60_000;
  const scene = { courseId, quizId, student };
  expect((await submitQuiz(scene, { start_at: `${toSeconds(claimed)}Z` })).status).toBe(200);
  const flags = [
    { code: 'start_mismatch', claimed_start_at: expect.any(String), recorded_start_at: started_at },
  ];
  const own = (await student.get('/api/v3/quiz/submissions')).body.data;
  expect(own.find(({ quiz_id }: { quiz_id: number }) => quiz_id === quizId).flags).toEqual(flags);
  const [{ id }] = await quizSubmissions(quizId);
  const history = await (await asAdmin()).get(`/api/v3/quiz/pdf-quizzes/grade/${id}/history`);
  expect(history.body).toMatchObject({ data: [], flags });
});

test('a question link is valid only for the student it was issued to', async () => {
  const { courseId, student } = await newScene();
  const quizId = await newQuiz(courseId, { file: await pdf() });
  const { data } = (await student.get('/api/v3/quiz/available')).body;
  const url = new URL(data.find(({ id }: { id: number }) => id === quizId).questions_pdf_url);
  url.searchParams.set('for', `${quizId}.${student.id + 1}`);
  expect((await callAs().get(url.href)).status).toBe(403);
  url.searchParams.delete('for');
  expect((await callAs().get(url.href)).status).toBe(403);
});
