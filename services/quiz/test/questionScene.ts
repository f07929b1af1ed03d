import { createHttpClient, type HttpClient } from '@gradeway/test/httpClient';
import { type Grader, newGrader } from './graders.ts';
import type { QuizService, Scene } from './quizService.ts';

interface Rubric {
  mode: 'add' | 'subtract';
  items: { points: number; text: string }[];
}

interface GivenQuestion {
  label: string;
  maxPoints: number;
  rubric?: Rubric;
}

export interface QuestionScene extends Scene {
  /** In the order of the questions. */
  questionIds: number[];
  /** The items of each question's rubric, in the order of the questions. */
  itemIds: number[][];
  /** `/api/v3/grading/quizzes/{id}` of the quiz. */
  path: string;
  /** The student with an answer sheet, and its path. */
  student: string;
  own: HttpClient;
  id: number;
  ownPath: string;
  grader: Grader;
}

const addQuestion = `
  WITH outline AS (INSERT INTO quiz.outlines (item_id, revision) VALUES ($1, 1) ON CONFLICT (item_id) DO UPDATE SET revision = 1)
  INSERT INTO quiz.questions (item_id, place, label, max_points) VALUES ($1, $2, $3, $4) RETURNING id`;
const addRubric = `
  INSERT INTO quiz.question_rubrics (question_id, revision, is_deleted, mode, max_points) VALUES ($1, 1, false, $2, $3)`;
const addItem = `
  INSERT INTO quiz.question_rubric_items (question_id, place, points, text) VALUES ($1, $2, $3, $4) RETURNING id`;

/** Adds questions to a quiz without submissions. */
export async function addQuestions(
  quiz: QuizService,
  quizId: number,
  questions: GivenQuestion[],
): Promise<Pick<QuestionScene, 'questionIds' | 'itemIds'>> {
  const [questionIds, itemIds]: [number[], number[][]] = [[], []];
  const insert = async (sql: string, values: unknown[]) =>
    (await quiz.database.query<{ id: number }>(sql, values))[0]?.id ?? 0;
  for (const [place, { label, maxPoints, rubric }] of questions.entries()) {
    const id = await insert(addQuestion, [quizId, place + 1, label, maxPoints]);
    questionIds.push(id);
    if (rubric) await insert(addRubric, [id, rubric.mode, maxPoints]);
    const items: number[] = [];
    for (const [index, { points, text }] of (rubric?.items ?? []).entries())
      items.push(await insert(addItem, [id, index, points, text]));
    itemIds.push(items);
  }
  return { questionIds, itemIds };
}

export const twoQuestions: GivenQuestion[] = [
  { label: '1', maxPoints: 4 },
  {
    label: '2b',
    maxPoints: 6,
    rubric: {
      mode: 'subtract',
      items: [
        { points: 0.5, text: 'No units' },
        { points: 2, text: 'No proof' },
      ],
    },
  },
];

/** A quiz with questions and an answer sheet for it. */
export async function newQuestionScene(
  quiz: QuizService,
  {
    questions = twoQuestions,
    fields = {},
  }: { questions?: GivenQuestion[]; fields?: Record<string, string> } = {},
): Promise<QuestionScene> {
  const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10', ...fields });
  const added = await addQuestions(quiz, scene.quizId, questions);
  const { status, body } = await quiz.upload(scene);
  if (status !== 200) throw new Error(`no answer sheet: ${JSON.stringify(body)}`);
  const own = createHttpClient({ baseUrl: quiz.service.url, token: scene.student });
  const [{ id }] = (await own.get('/api/v3/quiz/submissions')).body.data;
  return {
    ...{ ...scene, ...added, own, id, ownPath: `/api/v3/quiz/submissions/${id}` },
    path: `/api/v3/grading/quizzes/${scene.quizId}`,
    grader: newGrader(quiz, scene.courseId),
  };
}

/** Grades the answer to one question, as a group of one. */
export async function gradeAnswer(
  { path, questionIds, id }: QuestionScene,
  grader: Grader,
  index: number,
  grading: object,
) {
  const groups = `${path}/questions/${questionIds[index]}/groups`;
  const { body } = await grader.post(groups, { title: 'Group', submission_ids: [id] });
  const graded = await grader.put(`${groups}/${body.data.id}/grading`, grading, { 'if-match': '*' });
  if (graded.status !== 200) throw new Error(`not graded: ${JSON.stringify(graded.body)}`);
  return graded.body.data as { graded: number; skipped: number };
}

/** Grades every answer with these points. */
export async function gradeAll(scene: QuestionScene, points: number[], grader = scene.grader): Promise<void> {
  for (const [index, each] of points.entries()) await gradeAnswer(scene, grader, index, { points: each });
}
