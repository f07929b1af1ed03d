import type { Role } from '@gradeway/shared/auth/roles';
import { type Answer, createHttpClient, type HttpClient } from '@gradeway/test/httpClient';
import type { QuizService, Scene } from './quizService.ts';

/** A grader of a course: an instructor who teaches it, or an administrator. */
export interface Grader extends HttpClient {
  id: number;
  name: string;
}

export interface Queue extends Scene {
  /** In upload order. */
  submissionIds: number[];
  /** `/api/v3/grading/quizzes/{id}` of the quiz. */
  path: string;
}

let lastGrader = 1_000_000;

/** A new account known to auth, with its client. */
export function newGrader(quiz: QuizService, courseId?: number, role: Role = 'instructor'): Grader {
  lastGrader += 1;
  const id = lastGrader;
  const account = { firstName: 'Grace', lastName: `Grader ${id}`, email: `${id}@school.example` };
  quiz.peers.users.push({ userId: id, ...account, role, isBlocked: false, revision: 1 });
  if (courseId !== undefined) quiz.peers.teaching.add(`${id}/${courseId}`);
  const client = createHttpClient({ baseUrl: quiz.service.url, token: quiz.tokens.sign(id, role) });
  return { ...client, id, name: `Grace Grader ${id}` };
}

const insert = `
  WITH numbers AS (SELECT generate_series(1, $3::integer) AS number),
  names AS (
    INSERT INTO quiz.people (user_id, first_name, last_name, email, is_deleted, revision)
    SELECT $4 + number, 'Ada', 'Student ' || number, 'ada' || number || '@school.example', false, 1 FROM numbers)
  INSERT INTO quiz.submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
  SELECT $1, $2, $4 + number, now(), 30, timestamptz '2026-11-21T10:00:00.000001Z' + number * interval '1 second'
  FROM numbers ORDER BY number
  RETURNING id`;

let lastStudent = 10_000_000;

/** A quiz with a submission from each of this many students, without files. They are called Ada Student 1, 2, … */
export async function newQueue(
  quiz: QuizService,
  count: number,
  fields: Record<string, string> = { total_grade_for_quiz_pdf: '10' },
): Promise<Queue> {
  const scene = await quiz.setUp(fields);
  const values = [scene.quizId, scene.courseId, count, lastStudent];
  lastStudent += count;
  const rows = await quiz.database.query<{ id: number }>(insert, values);
  const submissionIds = rows.map(({ id }) => id).toSorted((one, other) => one - other);
  return { ...scene, submissionIds, path: `/api/v3/grading/quizzes/${scene.quizId}` };
}

export const submissionPath = (id: number | undefined) => `/api/v3/grading/quizzes/submissions/${id}`;

export const etagOf = (answer: Answer): string => answer.headers.get('etag') ?? '';

/** Grades as if the grader had just read the submission. */
export async function grade(grader: Grader, id: number | undefined, body: object): Promise<Answer> {
  const seen = await grader.get(submissionPath(id));
  return grader.put(submissionPath(id), body, { 'if-match': etagOf(seen) });
}

/**
 * Grades all submissions with one item of the rubric, worth 6 of 10, as if graders had done so one after the other. The
 * uses of the item are counted at once: in one transaction, its trigger would write a version of the item for each of
 * them.
 */
export async function gradeByItem(quiz: QuizService, { quizId }: Queue, itemId: number | undefined) {
  const trigger = (action: string) =>
    quiz.database.query(`ALTER TABLE quiz.submissions ${action} TRIGGER selected_items_count`);
  await trigger('DISABLE');
  await quiz.database.query(
    `WITH graded AS (
       UPDATE quiz.submissions SET grade = 6, total_grade = 10, graded_by = 9, graded_at = now(), revision = 1,
         comment = repeat('x', 1000), selection = ARRAY[$2::integer], rubric_revision = 1
       WHERE quiz_id = $1 RETURNING id)
     UPDATE quiz.rubric_items SET uses = (SELECT count(*) FROM graded) WHERE id = $2`,
    [quizId, itemId],
  );
  await trigger('ENABLE');
}

/** Creates the first rubric of a quiz and requires that this succeeds. */
export async function makeRubric(grader: Grader, { path }: Queue, rubric: object) {
  const answer = await grader.put(`${path}/rubric`, rubric, { 'if-none-match': '*' });
  if (answer.status !== 201) throw new Error(`no rubric: ${JSON.stringify(answer.body)}`);
  return answer.body.data as RubricObject;
}

/** Changes the rubric as if the grader had just read it. */
export async function changeRubric(grader: Grader, { path }: Queue, rubric: object, query = '') {
  const seen = await grader.get(`${path}/rubric`);
  return grader.put(`${path}/rubric${query}`, rubric, { 'if-match': etagOf(seen) });
}

export interface RubricObject {
  revision: number;
  mode: 'add' | 'subtract';
  max_points: number;
  min_points: number;
  items: { id: number; points: number; text: string; uses: number }[];
}

/** The data of a submission's graded events, in order. */
export async function gradedEvents(quiz: QuizService, id: number | undefined) {
  const rows = await quiz.database.query<{ data: Record<string, unknown> }>(
    `SELECT body->'data' AS data FROM quiz.outbox
     WHERE type = 'quiz.submission.graded.v1' AND body->'data'->>'submission_id' = $1::text ORDER BY position`,
    [id],
  );
  return rows.map(({ data }) => data);
}
