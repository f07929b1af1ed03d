import { plainPdf } from '@gradeway/test/plainPdf';
import { waitFor } from '@gradeway/test/waitFor';
import { type GradingScene, grading, newGradingScene } from './gradingScene.ts';

interface GivenQuestion {
  id?: number;
  label: string;
  title?: string | null;
  max_points: number;
  region?: { page: number; rect: number[] } | null;
}

interface OutlineObject {
  revision: number;
  questions: (Required<GivenQuestion> & { id: number; graded: number; rubric: object | null })[];
  total_points: number;
}

/** An item that is graded by question. Its first grader is its teacher. */
export interface OutlineScene extends GradingScene {
  outline(): Promise<OutlineObject>;
  /** Changes the questions, as the teacher would in another window. */
  setQuestions(questions: GivenQuestion[]): Promise<OutlineObject>;
  /** Gives these points to the answer to the question at a position of the outline. */
  gradeAnswer(submissionId: number | undefined, position: number, points: number): Promise<void>;
}

interface Options extends Omit<NonNullable<Parameters<typeof newGradingScene>[0]>, 'rubric'> {
  questions?: GivenQuestion[];
  /** The pages of the question PDF. If there are none, there is no PDF. */
  sheet?: Parameters<typeof plainPdf>[0];
}

export async function newOutlineScene({
  questions = [],
  sheet,
  ...options
}: Options = {}): Promise<OutlineScene> {
  const scene = await newGradingScene({ lastNames: ['Abel'], ...options, rubric: [] });
  const { grader, kind, itemId } = scene;
  const item = `${grading}/${kind}/${itemId}`;
  const path = `${item}/questions`;
  const outline = async (): Promise<OutlineObject> => (await grader.get(path)).body.data;
  const setQuestions = async (given: GivenQuestion[]): Promise<OutlineObject> => {
    const { headers } = await grader.get(path);
    const answer = await grader.put(path, { questions: given }, { 'if-match': headers.get('etag') ?? '' });
    if (answer.status !== 200) throw new Error(`no questions: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  if (sheet) {
    const body = new FormData();
    body.append('file', new File([new Uint8Array(plainPdf(sheet))], 'questions.pdf'));
    await waitFor(async () => (await grader.patch(item, body)).status === 200);
  }
  if (questions.length > 0) await waitFor(() => setQuestions(questions));
  return {
    ...scene,
    outline,
    setQuestions,
    gradeAnswer: async (submissionId, position, points) => {
      const question = (await outline()).questions[position];
      const answer = `${grading}/${kind}/submissions/${submissionId}/questions/${question?.id}`;
      const { status, body } = await grader.put(answer, { points }, { 'if-match': '*' });
      if (status !== 200) throw new Error(`not graded: ${JSON.stringify(body)}`);
    },
  };
}
