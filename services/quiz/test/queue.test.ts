import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grade, newGrader, newQueue, type Queue, submissionPath } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const idsIn = (answer: { body: { data: { id: number }[] } }) => answer.body.data.map(({ id }) => id);

describe('the list of quizzes to grade', () => {
  test('an instructor sees the quizzes of their courses to grade, newest first, and an administrator all quizzes', async () => {
    const [older, newer, other] = [await newQueue(quiz, 3), await newQueue(quiz, 1), await newQueue(quiz, 0)];
    const grader = newGrader(quiz, older.courseId);
    quiz.peers.teaching.add(`${grader.id}/${newer.courseId}`);
    await grade(grader, older.submissionIds[0], { grade: 5 });
    await grader.put(`${submissionPath(older.submissionIds[1])}/claim`);
    const answer = await grader.get('/api/v3/grading/quizzes');
    expect(answer.body.data).toEqual([
      expect.objectContaining({ id: newer.quizId, submissions: 1, graded: 0, claimed: 0 }),
      {
        id: older.quizId,
        title: 'Quiz',
        course_id: older.courseId,
        course_title: `Course ${older.courseId}`,
        total_grade: 10,
        ...{ published: true, release: 'immediate', opens_at: null, closes_at: null },
        released_at: expect.stringMatching(/Z$/),
        submissions: 3,
        graded: 1,
        claimed: 1,
        has_rubric: false,
      },
    ]);
    expect(answer.body.meta).toMatchObject({ total: 2, per_page: 50 });
    const all = await newGrader(quiz, undefined, 'admin').get('/api/v3/grading/quizzes?per_page=200');
    expect(idsIn(all)).toEqual(expect.arrayContaining([older.quizId, newer.quizId, other.quizId]));
  });

  test('a filter by a course that is unknown or not taught lists no quizzes to grade', async () => {
    const [own, other] = [await newQueue(quiz, 1), await newQueue(quiz, 1)];
    const grader = newGrader(quiz, own.courseId);
    const list = async (course: number) =>
      idsIn(await grader.get(`/api/v3/grading/quizzes?course_id=${course}`));
    expect(await list(own.courseId)).toEqual([own.quizId]);
    expect(await list(other.courseId)).toEqual([]);
    expect(await list(999_999)).toEqual([]);
    expect((await grader.get('/api/v3/grading/quizzes?course_id=x')).status).toBe(422);
  });

  test('closes_at is RFC 3339, and a removed quiz is not listed, while its submissions can still be graded', async () => {
    const queue = await newQueue(quiz, 1, {
      total_grade_for_quiz_pdf: '10',
      closes_at: '2099-11-21T19:05:00Z',
    });
    const grader = newGrader(quiz, queue.courseId);
    const [item] = (await grader.get('/api/v3/grading/quizzes')).body.data;
    expect(item.closes_at).toBe('2099-11-21T19:05:00Z');
    await quiz.database.query('UPDATE quiz.quizzes SET deleted_at = now() WHERE id = $1', [queue.quizId]);
    expect((await grader.get('/api/v3/grading/quizzes')).body.data).toEqual([]);
    expect((await grader.get(`${queue.path}/submissions`)).status).toBe(404);
    expect((await grade(grader, queue.submissionIds[0], { grade: 3 })).status).toBe(200);
  });
});

describe('one quiz', () => {
  test('a single quiz with its questions is returned only to its graders', async () => {
    const queue = await newQueue(quiz, 2, {
      total_grade_for_quiz_pdf: '10',
      questions_count_of_quiz_pdf: '4',
      opens_at: '2026-11-21T19:05:00Z',
      closes_at: '2099-11-21T19:05:00Z',
      duration_minutes: '45',
    });
    await quiz.patch(`/api/v3/quiz/pdf-quizzes/${queue.quizId}`, { file: quiz.pdf });
    const grader = newGrader(quiz, queue.courseId);
    const [listed] = (await grader.get('/api/v3/grading/quizzes')).body.data;
    const { status, body } = await grader.get(queue.path);
    expect([status, body.data]).toEqual([
      200,
      {
        ...listed,
        opens_at: '2026-11-21T19:05:00Z',
        closes_at: '2099-11-21T19:05:00Z',
        kind: 'quizzes',
        duration_minutes: 45,
        questions_count: 4,
        created_at: listed.released_at,
        questions_pdf_url: body.data.questions_url,
        questions_url: expect.stringMatching(/\/api\/v3\/files\/quiz\/\d+\?/),
        ...{ release_at: null, late: null, order: 'arrival', anonymous: false, graders_edit_rubric: true },
        ...{ reviews: null, time_zone: 'UTC', students: 1 },
      },
    ]);
    const { pathname, search } = new URL(body.data.questions_url);
    expect((await quiz.get(pathname + search, '')).status).toBe(200);
    const other = await newGrader(quiz, queue.courseId + 1_000_000).get(queue.path);
    expect([other.status, (await grader.get('/api/v3/grading/quizzes/999999')).status]).toEqual([404, 404]);
  });
});

describe('the queue of a quiz', () => {
  async function pages(queue: Queue, query: string) {
    const grader = newGrader(quiz, queue.courseId);
    const seen: number[][] = [];
    for (let url: string | null = `${queue.path}/submissions${query}`; url; ) {
      const answer = await grader.get(url.replace(/^https?:\/\/[^/]+/, ''));
      seen.push(idsIn(answer));
      url = answer.body.links.next;
    }
    return seen;
  }

  test('a row of the queue has the student, the grade and the claim', async () => {
    const queue = await newQueue(quiz, 2);
    const [first, second] = queue.submissionIds;
    const grader = newGrader(quiz, queue.courseId);
    await grade(grader, first, { grade: '7.5' });
    const claim = (await grader.put(`${submissionPath(second)}/claim`)).body.data;
    const { body } = await grader.get(`${queue.path}/submissions`);
    expect(body.meta).toEqual({ per_page: 50, total: 2, graded: 1 });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(body.data).toEqual([
      {
        id: first,
        student: { id: expect.any(Number), name: 'Ada Student 1', email: 'ada1@school.example' },
        submitted_at: '2026-11-21T10:00:01Z',
        status: 'graded',
        grade: 7.5,
        total_grade: 10,
        graded_by: { id: grader.id, name: grader.name },
        graded_at: time,
        claimed_by: null,
        claimed_until: null,
        submitted_by: null,
        flags: [],
        late: null,
        final_grade: 7.5,
      },
      expect.objectContaining({
        id: second,
        status: 'ungraded',
        grade: null,
        total_grade: null,
        graded_by: null,
        claimed_by: { id: grader.id, name: grader.name },
        claimed_until: claim.claimed_until,
      }),
    ]);
  });

  test('a deleted student has no name or address in the queue', async () => {
    const queue = await newQueue(quiz, 1);
    const grader = newGrader(quiz, queue.courseId);
    await quiz.database.query(
      `UPDATE quiz.people SET is_deleted = true WHERE user_id = (SELECT student_id FROM quiz.submissions WHERE id = $1)`,
      [queue.submissionIds[0]],
    );
    const [row] = (await grader.get(`${queue.path}/submissions`)).body.data;
    expect(row.student).toEqual({ id: expect.any(Number), name: 'Deleted user', email: '' });
  });

  test('pages of the queue are oldest first, and the last one has a null link', async () => {
    const queue = await newQueue(quiz, 5);
    expect(await pages(queue, '?per_page=2')).toEqual([
      queue.submissionIds.slice(0, 2),
      queue.submissionIds.slice(2, 4),
      queue.submissionIds.slice(4),
    ]);
    expect(await pages(queue, '?per_page=5')).toEqual([queue.submissionIds]);
  });

  test('the queue skips and repeats nothing while another grader grades', async () => {
    const queue = await newQueue(quiz, 6);
    const [reader, grader] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    const first = await reader.get(`${queue.path}/submissions?status=ungraded&per_page=2`);
    for (const id of queue.submissionIds.slice(0, 3)) await grade(grader, id, { grade: 1 });
    const second = await reader.get(first.body.links.next);
    expect(idsIn(second)).toEqual(queue.submissionIds.slice(3, 5));
    expect(second.body.meta).toMatchObject({ total: 6, graded: 3 });
  });

  test('status and search filter the rows of the queue, not its counts', async () => {
    const queue = await newQueue(quiz, 12);
    const grader = newGrader(quiz, queue.courseId);
    await grade(grader, queue.submissionIds[0], { grade: 1 });
    const list = async (query: string) => idsIn(await grader.get(`${queue.path}/submissions?${query}`));
    expect(await list('status=graded')).toEqual(queue.submissionIds.slice(0, 1));
    expect(await list('status=ungraded')).toEqual(queue.submissionIds.slice(1));
    expect(await list('search=STUDENT%201')).toEqual(
      [0, 9, 10, 11].map((place) => queue.submissionIds[place]),
    );
    expect(await list('search=ada12@')).toEqual(queue.submissionIds.slice(11));
    expect(await list('search=1&status=graded')).toEqual(queue.submissionIds.slice(0, 1));
    const { body } = await grader.get(`${queue.path}/submissions?search=nobody`);
    expect(body).toMatchObject({ data: [], meta: { total: 12, graded: 1 }, links: { next: null } });
  });

  test.each(['cursor=abc', 'status=open', 'per_page=0'])('the queue request is 422: %s', async (query) => {
    const queue = await newQueue(quiz, 0);
    const { status, body } = await newGrader(quiz, queue.courseId).get(`${queue.path}/submissions?${query}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({
      message: 'Invalid Data',
      errors: { [query.split('=')[0] ?? '']: [expect.any(String)] },
    });
  });

  test('a cursor of the queue with another filter is 422', async () => {
    const queue = await newQueue(quiz, 3);
    const grader = newGrader(quiz, queue.courseId);
    const { body } = await grader.get(`${queue.path}/submissions?per_page=1`);
    expect((await grader.get(`${body.links.next}&status=graded`)).status).toBe(422);
  });
});

describe('who grades', () => {
  const requests: [string, string][] = [
    ['GET', ''],
    ['GET', '/1/submissions'],
    ['POST', '/1/next'],
    ['GET', '/1/rubric'],
    ['PUT', '/1/rubric'],
    ['DELETE', '/1/rubric'],
    ['GET', '/1/statistics'],
    ['GET', '/submissions/1'],
    ['PUT', '/submissions/1'],
    ['PUT', '/submissions/1/claim'],
    ['DELETE', '/submissions/1/claim'],
    ['GET', '/submissions/1/history'],
  ];

  test.each(requests)('%s %s is 403 for a student or a parent', async (method, path) => {
    for (const role of ['user', 'parent'] as const) {
      const { status, body } = await newGrader(quiz, undefined, role).request(
        method,
        `/api/v3/grading/quizzes${path}`,
      );
      expect([status, body.message]).toEqual([403, 'Unauthorized Access']);
    }
  });

  test('the queue of a course that an instructor does not teach is 404 before anything else is checked', async () => {
    const queue = await newQueue(quiz, 1);
    const stranger = newGrader(quiz);
    const [id] = queue.submissionIds;
    const answers = await Promise.all([
      stranger.get(`${queue.path}/submissions`),
      stranger.post(`${queue.path}/next`),
      stranger.get(`${queue.path}/statistics`),
      stranger.put(`${queue.path}/rubric`, {}),
      stranger.get(submissionPath(id)),
      stranger.put(submissionPath(id), {}),
      stranger.put(`${submissionPath(id)}/claim`),
      stranger.get(`${submissionPath(id)}/history`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(answers[0]?.body).toEqual({ message: 'Not Found', errors: null });
  });

  test('an instructor who is removed from the course is refused from the next request on', async () => {
    const queue = await newQueue(quiz, 1);
    const grader = newGrader(quiz, queue.courseId);
    expect((await grader.get(`${queue.path}/submissions`)).status).toBe(200);
    quiz.peers.teaching.delete(`${grader.id}/${queue.courseId}`);
    expect((await grader.get(`${queue.path}/submissions`)).status).toBe(404);
  });
});
