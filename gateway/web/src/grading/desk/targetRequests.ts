import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/apiError.ts';
import { type AnswerTarget, saveAnswer, ungradeAnswer } from '../queue/answerRequests.ts';
import { sheetKey } from '../queue/gradingQueries.ts';
import { type GradingBody, readSheet, saveGrading, undoGrading } from '../queue/gradingRequests.ts';
import type { Annotation, Answer, Detail, Sheet, Target } from '../queue/gradingTypes.ts';
import { outlineQuery } from '../queue/questionQueries.ts';
import { mergeMarks } from './mergeMarks.ts';
import { answerIn, questionSheet, withAnswer } from './questionSheet.ts';

// Each function sends a request for a submission or an answer, and keeps the new state of the submission in the cache. The
// state that it returns is the one that the desk shows.

interface Sent {
  owner: Target;
  before: Detail;
  body: GradingBody;
  /** The marks that the grader started from. */
  baseMarks: Annotation[];
  etag: string;
  key: string;
}

/** Saves a grading of the version that `etag` names. */
export async function sendGrading(queryClient: QueryClient, sent: Sent): Promise<Sheet> {
  const { owner, before, body, etag, key } = sent;
  if (!isAnswer(owner)) return keep(queryClient, owner, await saveGrading(owner, body, etag, key));
  const { annotations, grade, total_grade: _, ...rest } = body;
  if (annotations) {
    const marks = annotations as Annotation[];
    keep(queryClient, owner, await sendMarks(owner, sent.baseMarks, marks, etag));
  }
  const answerBody = grade === undefined ? rest : { ...rest, points: grade };
  if (Object.keys(answerBody).length > 0) {
    const answer = await saveAnswer(owner, answerBody, etag, key);
    keepAnswer(queryClient, owner, answer);
    if (settles(before, answer)) await readAgain(queryClient, owner);
  }
  return shown(queryClient, owner, known(queryClient, owner) ?? (await readAgain(queryClient, owner)));
}

/** Makes a graded submission or answer ungraded again. */
export async function sendUndo(queryClient: QueryClient, owner: Target, etag: string): Promise<Sheet> {
  if (!isAnswer(owner)) return keep(queryClient, owner, await undoGrading(owner, etag));
  await ungradeAnswer(owner, etag);
  return shown(queryClient, owner, await readAgain(queryClient, owner));
}

/** Returns the state that made a grading fail with 412. */
export async function stateIn(
  queryClient: QueryClient,
  { owner, before }: Pick<Sent, 'owner' | 'before'>,
  error: ApiError,
): Promise<Sheet> {
  if (!isAnswer(owner)) return { detail: error.data as Detail, etag: error.etag ?? '*' };
  // The rubric may have changed instead.
  const item = { kind: owner.kind, itemId: before.item_id };
  await queryClient.fetchQuery({ ...outlineQuery(item), staleTime: 0 }).catch(() => {});
  const whole = known(queryClient, owner) ?? { detail: before, etag: '*' };
  return shown(queryClient, owner, withAnswer(whole, error.data as Answer));
}

/** Keeps a state that another grader has saved. */
export function acceptState(queryClient: QueryClient, owner: Target, theirs: Sheet): void {
  const answer = isAnswer(owner) ? answerIn(theirs.detail, owner.questionId) : undefined;
  if (answer) keepAnswer(queryClient, owner, answer);
  else keep(queryClient, owner, theirs);
}

const isAnswer = (owner: Target): owner is AnswerTarget => owner.questionId !== undefined;

const maxTries = 5;

/** Saves marks. Graders of other questions mark the same pages: their changes are kept. */
async function sendMarks(
  owner: AnswerTarget,
  base: Annotation[],
  mine: Annotation[],
  etag: string,
): Promise<Sheet> {
  let [annotations, version] = [mine, etag];
  for (let tries = 1; tries <= maxTries; tries += 1)
    try {
      return await saveGrading(owner, { annotations }, version, crypto.randomUUID());
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      const { annotations: theirs } = error.data as Detail;
      annotations = mergeMarks(base, mine, theirs);
      version = error.etag ?? '*';
    }
  // Is retried like a failed connection.
  throw new Error('The marks change as fast as they are saved');
}

/** Whether an answer changes the state of its submission: it is the last one, or the submission was graded. */
const settles = ({ answers }: Detail, answer: Answer): boolean =>
  answers.every(({ question_id, state }) => question_id === answer.question_id || state === 'graded');

const known = (queryClient: QueryClient, { kind, id }: Target) =>
  queryClient.getQueryData<Sheet>(sheetKey(kind, id));

function keep(queryClient: QueryClient, owner: Target, sheet: Sheet): Sheet {
  queryClient.setQueryData(sheetKey(owner.kind, owner.id), sheet);
  return shown(queryClient, owner, sheet);
}

const keepAnswer = (queryClient: QueryClient, { kind, id }: Target, answer: Answer) =>
  queryClient.setQueryData<Sheet>(sheetKey(kind, id), (sheet) => sheet && withAnswer(sheet, answer));

/** Reads the submission, and keeps what was saved while it was being read. */
async function readAgain(queryClient: QueryClient, owner: Target): Promise<Sheet> {
  const read = await readSheet(owner.kind, owner.id);
  const newer = known(queryClient, owner)?.detail.answers.filter(
    ({ question_id, revision }) => revision > (answerIn(read.detail, question_id)?.revision ?? 0),
  );
  const sheet = (newer ?? []).reduce(withAnswer, read);
  keep(queryClient, owner, sheet);
  return sheet;
}

function shown(queryClient: QueryClient, { kind, questionId }: Target, sheet: Sheet): Sheet {
  const { queryKey } = outlineQuery({ kind, itemId: sheet.detail.item_id });
  const { outline } = queryClient.getQueryData(queryKey) ?? {};
  const question = outline?.questions.find(({ id }) => id === questionId);
  return (question && questionSheet(sheet, question)) ?? sheet;
}
