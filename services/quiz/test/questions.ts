import type { Answer } from '@gradeway/test/httpClient';
import { type Grader, newQueue, type Queue, submissionPath } from './graders.ts';
import type { QuizService } from './quizService.ts';

/** A quiz with questions, and submissions with ungraded answers. */
export interface QuestionQueue extends Queue {
  /** In the order of the outline. They have the labels 1, 2, … */
  questionIds: number[];
}

const outline = `
  WITH outline AS (INSERT INTO quiz.outlines (item_id, revision) VALUES ($1::integer, 1))
  INSERT INTO quiz.questions (item_id, place, label, max_points)
  SELECT $1::integer, given.place, given.place::text, given.points FROM unnest($2::numeric[]) WITH ORDINALITY AS given (points, place) ORDER BY given.place
  RETURNING id`;
const answers = `
  INSERT INTO quiz.answers (submission_id, question_id, submitted_at, code, is_waiting)
  SELECT s.id, q.id, s.submitted_at, s.code, s.grade IS NULL
  FROM quiz.submissions s JOIN quiz.questions q ON q.item_id = s.quiz_id WHERE s.quiz_id = $1`;

/** Gives a quiz its first outline, with a question for each maximum. */
export async function addQuestions<Item extends { quizId: number }>(
  quiz: QuizService,
  queue: Item,
  maxPoints: number[],
): Promise<Item & Pick<QuestionQueue, 'questionIds'>> {
  const rows = await quiz.database.query<{ id: number }>(outline, [queue.quizId, maxPoints]);
  await quiz.database.query(answers, [queue.quizId]);
  return { ...queue, questionIds: rows.map(({ id }) => id).toSorted((one, other) => one - other) };
}

export const newQuestionQueue = async (quiz: QuizService, count: number, maxPoints: number[]) =>
  addQuestions(quiz, await newQueue(quiz, count), maxPoints);

/** Gives a question a rubric in mode `add` with an item for each number of points, and returns its items. */
export async function addQuestionRubric(quiz: QuizService, questionId: number | undefined, points: number[]) {
  await quiz.database.query(
    `INSERT INTO quiz.question_rubrics (question_id, revision, is_deleted, max_points)
     SELECT id, 1, false, max_points FROM quiz.questions WHERE id = $1`,
    [questionId],
  );
  return quiz.database.query<{ id: number }>(
    `INSERT INTO quiz.question_rubric_items (question_id, place, points, text)
     SELECT $1::integer, given.place, given.points, 'Item ' || given.place FROM unnest($2::numeric[]) WITH ORDINALITY AS given (points, place)
     ORDER BY given.place RETURNING id`,
    [questionId, points],
  );
}

export const answerPath = (id: number | undefined, questionId: number | undefined) =>
  `${submissionPath(id)}/questions/${questionId}`;

/** The answers of a submission as a grader reads them. */
export const answersOf = async (grader: Grader, id: number | undefined) =>
  (await grader.get(submissionPath(id))).body.data.answers;

export const answerOf = async (grader: Grader, id: number | undefined, questionId: number | undefined) =>
  (await answersOf(grader, id)).find((each: { question_id: number }) => each.question_id === questionId);

/** Grades an answer as if the grader had just read it. */
export async function gradeAnswer(
  grader: Grader,
  id: number | undefined,
  questionId: number | undefined,
  body: object,
): Promise<Answer> {
  const { tag } = await answerOf(grader, id, questionId);
  return grader.put(answerPath(id, questionId), body, { 'if-match': tag });
}

/** Makes an answer ungraded as if the grader had just read it. */
export async function ungradeAnswer(grader: Grader, id: number | undefined, questionId: number | undefined) {
  const { tag } = await answerOf(grader, id, questionId);
  return grader.delete(answerPath(id, questionId), { 'if-match': tag });
}

export const answerHistory = async (grader: Grader, id: number | undefined, questionId: number | undefined) =>
  (await grader.get(`${submissionPath(id)}/history?question_id=${questionId}`)).body.data;

/** The types and data of the events about a submission's grade, in order. */
export async function gradeEvents(quiz: QuizService, id: number | undefined) {
  const rows = await quiz.database.query<{ type: string; data: Record<string, unknown> }>(
    `SELECT type, body->'data' AS data FROM quiz.outbox
     WHERE type IN ('quiz.submission.graded.v1', 'quiz.submission.ungraded.v1')
       AND body->'data'->>'submission_id' = $1::text ORDER BY position`,
    [id],
  );
  return rows.map(({ type, data }) => [type.split('.')[2], data.grade ?? null, data.total_grade ?? null]);
}
