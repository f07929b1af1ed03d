import { plainPdf } from '@gradeway/test/plainPdf';
import { colorOf, type GradingScene, grading, newGradingScene } from './gradingScene.ts';

interface Question {
  id: number;
  label: string;
}

/** A quiz or an assignment with two questions of 6 and 4 points; the first has a rubric that subtracts. */
export interface QuestionScene extends GradingScene {
  questions: [Question, Question];
  questionDeskPath(position: number, question: Question): string;
  answerOf(position: number, question: Question): Promise<{ [field: string]: unknown }>;
  gradeAnswer(position: number, question: Question, points: number): Promise<void>;
}

/** The colour of a page of a student's two-page sheet. */
export const pageColor = (position: number, page: number): [number, number, number] =>
  colorOf(position * 2 + page);

const sheet = (position: number) => {
  const pages = [1, 2].map((page) => {
    const color = pageColor(position, page).map((each) => (each / 255).toFixed(4));
    return { content: `${color.join(' ')} rg 0 0 595 842 re f` };
  });
  return { name: 'answers.pdf', bytes: plainPdf(pages) };
};

export async function newQuestionScene(
  options: Parameters<typeof newGradingScene>[0] = {},
): Promise<QuestionScene> {
  const scene = await newGradingScene({ rubric: [], file: sheet, ...options });
  const { grader, kind, itemId } = scene;
  const path = `${grading}/${kind}/${itemId}/questions`;
  const outline = {
    questions: [
      { label: '1', max_points: 6, region: null },
      { label: '2b', title: 'Induction', max_points: 4, region: { page: 2, rect: [50, 50, 300, 100] } },
    ],
  };
  const questions = (await grader.put(path, outline, { 'if-match': '*' })).body.data.questions;
  const items = [
    { points: 2, text: 'The base case is missing.' },
    { points: 3, text: 'The step is not proved.' },
  ];
  const rubric = { mode: 'subtract', items };
  await grader.put(`${path}/${questions[0].id}/rubric`, rubric, { 'if-none-match': '*' });
  const pathOf = (position: number) => `${grading}/${kind}/submissions/${scene.submissions[position]?.id}`;
  return {
    ...scene,
    questions,
    questionDeskPath: (position, { id }) => `${scene.deskPath(position)}?question=${id}`,
    answerOf: async (position, { id }) => {
      const { answers } = (await grader.get(pathOf(position))).body.data;
      return answers.find((each: { question_id: number }) => each.question_id === id);
    },
    gradeAnswer: async (position, { id }, points) => {
      const { status } = await grader.put(
        `${pathOf(position)}/questions/${id}`,
        { points },
        { 'if-match': '*' },
      );
      if (status !== 200) throw new Error(`the answer was not graded: ${status}`);
    },
  };
}
