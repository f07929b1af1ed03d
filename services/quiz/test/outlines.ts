import { openDatabase } from '@gradeway/shared/database/connection';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { toPoints } from '@gradeway/shared/grading/points';
import { createClock } from '@gradeway/shared/http/timestamps';
import { AnswerWriter } from '@gradeway/shared/questions/answerWriter';
import { SubmissionSettler } from '@gradeway/shared/questions/submissionSettler';
import type { Answer } from '@gradeway/test/httpClient';
import { gradedQuizzes } from '../src/http/gradedQuizzes.ts';
import {
  etagOf,
  type Grader,
  newGrader,
  newQueue,
  type Queue,
  type RubricObject,
  submissionPath,
} from './graders.ts';
import type { QuizService } from './quizService.ts';

interface QuestionObject {
  id: number;
  label: string;
  title: string | null;
  max_points: number;
  region: object | null;
  position: number;
  rubric: RubricObject | null;
  graded: number;
}

export interface OutlineObject {
  revision: number;
  questions: QuestionObject[];
  total_points: number;
}

/** A question of a body. */
export const question = (label: string, max_points = 5, change: object = {}) => ({
  label,
  max_points,
  ...change,
});

/** Changes the outline as if the teacher had just read it. */
export async function putOutline(
  teacher: Grader,
  { path }: Pick<Queue, 'path'>,
  questions: object[],
  query = '',
): Promise<Answer> {
  const seen = await teacher.get(`${path}/questions`);
  return teacher.put(`${path}/questions${query}`, { questions }, { 'if-match': etagOf(seen) });
}

/** A quiz with an outline and submissions. */
export async function newOutlineScene(
  quiz: QuizService,
  questions: object[] = [question('1'), question('2', 3)],
  submissions = 1,
) {
  const queue = await newQueue(quiz, submissions);
  const teacher = newGrader(quiz, queue.courseId);
  const { status, body } = await putOutline(teacher, queue, questions);
  if (status !== 200) throw new Error(`no outline: ${JSON.stringify(body)}`);
  const outline: OutlineObject = body.data;
  const [id = 0] = queue.submissionIds;
  return {
    ...queue,
    queue,
    teacher,
    outline,
    questions: outline.questions,
    id,
    submission: submissionPath(id),
  };
}

export const outlineOf = async ({
  teacher,
  path,
}: {
  teacher: Grader;
  path: string;
}): Promise<OutlineObject> => (await teacher.get(`${path}/questions`)).body.data;

export const detailOf = async ({ teacher }: { teacher: Grader }, id: number | undefined) =>
  (await teacher.get(submissionPath(id))).body.data;

export const rubricPath = ({ path }: Pick<Queue, 'path'>, questionId: number | undefined) =>
  `${path}/questions/${questionId}/rubric`;

/** Creates the first rubric of a question and requires that this succeeds. */
export async function makeQuestionRubric(
  grader: Grader,
  queue: Pick<Queue, 'path'>,
  questionId: number | undefined,
  rubric: object,
): Promise<RubricObject> {
  const answer = await grader.put(rubricPath(queue, questionId), rubric, { 'if-none-match': '*' });
  if (answer.status !== 201) throw new Error(`no rubric: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

interface GivenAnswer {
  submissionId: number | undefined;
  questionId: number | undefined;
  points: number;
  selection?: (number | undefined)[];
  rubricRevision?: number;
  comment?: string;
}

/** Grades answers with the service's grading engine, all in one transaction. */
export async function gradeAnswers(quiz: QuizService, given: GivenAnswer[], userId = 1): Promise<void> {
  const sequelize = openDatabase({ url: quiz.database.url('quiz'), name: 'test', pool: 1 });
  const writer = new AnswerWriter(sequelize);
  const settler = new SubmissionSettler(sequelize, gradedQuizzes(createClock('UTC')));
  const outbox = createOutbox(sequelize);
  const at = new Date();
  const ids = [...new Set(given.map(({ submissionId = 0 }) => submissionId))].toSorted(
    (one, other) => one - other,
  );
  await sequelize.transaction(async (transaction) => {
    await writer.lockSubmissions(ids, transaction);
    const changes = given.map((each) => ({
      submissionId: each.submissionId ?? 0,
      questionId: each.questionId ?? 0,
      points: toPoints(each.points),
      comment: each.comment ?? null,
      selection: (each.selection ?? []).map((id) => id ?? 0),
      adjustment: 0,
      rubricRevision: each.rubricRevision ?? null,
      gradedBy: userId,
      gradedAt: at,
      isChanged: true,
    }));
    await writer.write(changes, { userId, at, reason: 'graded' }, transaction);
    const { events } = await settler.settle(ids, userId, at, transaction);
    await outbox.addAll(events, transaction);
  });
  await sequelize.close();
}

/** The entries in the history of an answer, oldest first. */
export const answerHistory = (quiz: QuizService, submissionId: number, questionId: number | undefined) =>
  quiz.database.query<{ points: number | null; reason: string; graded_by: number }>(
    `SELECT points::float8 AS points, reason, graded_by FROM quiz.answer_gradings
     WHERE submission_id = $1 AND question_id = $2 ORDER BY id`,
    [submissionId, questionId],
  );
