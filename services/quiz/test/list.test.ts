import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

interface List {
  data: { id: number; submissions: { id: number; student_name: string; is_marked: number }[] }[];
  meta: { total: number; last_page: number };
}

const list = async (query: string): Promise<List> =>
  (await quiz.get(`/api/v3/quiz/pdf-quizzes?${query}`, quiz.admin)).body;
const single = async (id: number) => (await quiz.get(`/api/v3/quiz/pdf-quizzes/${id}`, quiz.admin)).body.data;

// The signatures in two responses may be from different minutes.
const unsigned = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/expires=\d+&signature=[\w-]+/g, ''));

test('the list of quizzes has the same objects as single responses, whatever characters their texts contain', async () => {
  const odd = 'a "b" \\ \n \u001e\u001f , 宿題';
  const scene = await quiz.setUp({ title: 'Quiz "1" \\', total_grade_for_quiz_pdf: '12.5' });
  await quiz.patch(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, { file: quiz.pdf });
  expect((await quiz.upload(scene)).status).toBe(200);
  await quiz.database.query(
    `INSERT INTO quiz.people VALUES (70001, $1, '', null, false, 1), (70002, 'Gone', 'Away', null, true, 1)`,
    [odd],
  );
  await quiz.database.query(
    `INSERT INTO quiz.submissions
       (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at, grade, total_grade)
     SELECT $1, 1, student, now(), 30, now(), grade, total_grade
     FROM (VALUES (70001, 7.5, 10), (70002, 0, 10), (70003, 3.1415, 999999), (70004, null, null))
       AS given (student, grade, total_grade)`,
    [scene.quizId],
  );
  const [listed] = (await list('per_page=1')).data;
  expect(unsigned(listed)).toEqual(unsigned(await single(scene.quizId)));
  expect(listed?.submissions.map(({ student_name }) => student_name)).toEqual([
    `Ada Student ${scene.studentId}`,
    odd,
    'Deleted user',
    'Deleted user',
    'Deleted user',
  ]);
});

test('the pages of all quizzes contain every quiz once, newest first, read from either end', async () => {
  for (let count = 0; count < 5; count += 1) await quiz.setUp();
  const { meta } = await list('per_page=2');
  // Reading the pages in both orders reads each page from both ends: the total determines the end, and is known after
  // the first page.
  const pages = Array.from({ length: meta.last_page }, (_, index) => index + 1);
  const idsOf = async (numbers: number[]) => {
    const ids = new Map<number, number[]>();
    for (const page of numbers)
      ids.set(
        page,
        (await list(`per_page=2&page=${page}`)).data.map(({ id }) => id),
      );
    return pages.flatMap((page) => ids.get(page) ?? []);
  };
  const rows = await quiz.database.query<{ id: number }>(
    'SELECT id FROM quiz.quizzes WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC',
  );
  expect(rows).toHaveLength(meta.total);
  expect(await idsOf(pages)).toEqual(rows.map(({ id }) => id));
  expect(await idsOf(pages.toReversed())).toEqual(rows.map(({ id }) => id));
  expect(await list(`page=${'9'.repeat(15)}`)).toMatchObject({ data: [], meta: { total: meta.total } });
});

test('the list of quizzes shows changes made since it was last read', async () => {
  const scene = await quiz.setUp();
  const [other] = [await quiz.setUp(), await quiz.upload(scene)];
  const listed = async () => {
    const { data } = await list('per_page=2');
    expect(unsigned(data)).toEqual(unsigned([await single(other.quizId), await single(scene.quizId)]));
    return data[1]?.submissions[0];
  };
  const before = await listed();
  expect(before).toMatchObject({ is_marked: 0, student_name: `Ada Student ${scene.studentId}` });

  const grade = { grade: 7, total_grade: 10 };
  await quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${before?.id}`, quiz.admin, grade);
  expect(await listed()).toMatchObject({ ...grade, is_marked: 1 });

  await quiz.database.query("UPDATE quiz.people SET first_name = 'Eva' WHERE user_id = $1", [
    scene.studentId,
  ]);
  expect(await listed()).toMatchObject({ student_name: `Eva Student ${scene.studentId}` });
});

test('the list of quizzes has URLs with the requested host, even right after a request to another host', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  for (const host of ['one.example', 'two.example', 'one.example']) {
    const client = createHttpClient({ baseUrl: quiz.service.url, token: quiz.admin });
    const { body } = await client.get('/api/v3/quiz/pdf-quizzes?per_page=1', { 'x-forwarded-host': host });
    const url = new URL(body.data[0].submissions[0].pdf_answer_url);
    expect(url.host).toBe(host);
    expect((await fetch(quiz.service.url + url.pathname + url.search)).status).toBe(200);
  }
});
