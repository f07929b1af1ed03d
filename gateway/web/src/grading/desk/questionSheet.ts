import type { Kind } from '../../shared/api/workTypes.ts';
import type { Answer, AnswerPage, Detail, Outline, Question, Sheet } from '../queue/gradingTypes.ts';

/** The subject of a grade: a whole quiz or homework, or one of its questions. */
export type Graded = Kind | 'question';

export const gradedOf = (kind: Kind, question: unknown): Graded =>
  question === undefined ? kind : 'question';

/** The question that the desk grades, with all questions of the item. */
export interface QuestionOfDesk {
  question: Question;
  outline: Outline;
}

/**
 * Returns an answer in the shape of a submission, so that the desk grades both in the same way. The ETag lists those
 * of the answer and of its submission, which holds the marks; each request matches one of them.
 */
export function questionSheet({ detail, etag }: Sheet, question: Question): Sheet | undefined {
  const answer = answerIn(detail, question.id);
  if (!answer) return undefined;
  const { state, points, selection, adjustment, rubric_revision, comment, graded_by, graded_at } = answer;
  return {
    etag: `${answer.tag}, ${etag}`,
    detail: {
      ...detail,
      status: state,
      grade: points,
      total_grade: question.max_points,
      rubric: question.rubric,
      claimed_by: answer.claimed_by,
      claimed_until: answer.claimed_until,
      ...{ selection, adjustment, rubric_revision, comment, graded_by, graded_at },
    },
  };
}

export const answerIn = (detail: Detail, questionId: number): Answer | undefined =>
  // While the services are being updated, a response from the previous version has no answers.
  detail.answers?.find(({ question_id }) => question_id === questionId);

/** Returns the submission with a newer version of one of its answers. */
export function withAnswer({ detail, etag }: Sheet, answer: Answer): Sheet {
  const answers = detail.answers.map((each) => (each.question_id === answer.question_id ? answer : each));
  const graded_questions = answers.filter(({ state }) => state === 'graded').length;
  return { detail: { ...detail, answers, graded_questions }, etag };
}

/** Returns the question to grade first: preferably one without points. */
export const firstQuestion = ({ answers }: Detail): number | undefined =>
  (answers?.find(({ state }) => state === 'ungraded') ?? answers?.[0])?.question_id;

/** Returns the question after or before a given one; undefined at the ends. */
export function neighbourQuestion({ answers }: Detail, questionId: number, step: 1 | -1): number | undefined {
  const place = answers.findIndex(({ question_id }) => question_id === questionId);
  return place < 0 ? undefined : answers[place + step]?.question_id;
}

/**
 * Returns the page on which the desk opens a submission: the page of the answer, otherwise the question's page on the
 * question sheet. Undefined for the first page.
 */
export function openingPage(detail: Detail, question: Question | undefined): AnswerPage | undefined {
  if (!question) return undefined;
  const [own] = answerIn(detail, question.id)?.pages ?? [];
  const [file] = detail.files;
  if (own && detail.files.some(({ id }) => id === own.file_id)) return own;
  return file && question.region ? { file_id: file.id, page: question.region.page } : undefined;
}

// Points have at most four decimals, so sums are exact in integers of ten-thousandths.
const scale = 10_000;

/** Adds up the points of a submission, with unsaved points for one question. Undefined if no question has points. */
export function livePoints(
  answers: readonly Answer[],
  questionId: number,
  unsaved: number | undefined,
): number | undefined {
  const known = answers
    .map(({ question_id, points }) => (question_id === questionId ? unsaved : points))
    .filter((points) => typeof points === 'number');
  if (known.length === 0) return undefined;
  return known.reduce((sum, points) => sum + Math.round(points * scale), 0) / scale;
}
