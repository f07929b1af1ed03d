import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '@gradeway/test/httpClient';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { etagOf, type Grader, newGrader, newQueue, type Queue, submissionPath } from './graders.ts';
import { setSettings } from './items.ts';
import { answerPath, gradeEvents } from './questions.ts';
import { type QuizService, startQuizService } from './quizService.ts';

/*
 * Two graders, an editor of the outline, an editor of rubrics and a student who uploads act at the same time, each based on the
 * state that it saw last. In whatever order the service executes their requests, its responses and its state must equal a
 * sequential execution.
 */

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const runs = 1_000;
const actsPerRun = 3;

/** An action, and how many iterations of the event loop to wait before it. */
const act = fc.record({
  actor: fc.constantFrom('one', 'two', 'one', 'two', 'outliner', 'rubrics', 'student'),
  submission: fc.nat({ max: 1 }),
  question: fc.nat({ max: 2 }),
  way: fc.constantFrom('points', 'points', 'selection', 'undo'),
  places: fc.subarray([0, 1, 2]),
  // At most the maximum of the smallest question.
  points: fc.integer({ min: 0, max: 9_999 }),
  change: fc.constantFrom('maximum', 'add', 'remove'),
  delay: fc.nat({ max: 3 }),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

interface Item {
  id: number;
  points: number;
}
interface Question {
  id: number;
  max: number;
  rubric: Item[] | null;
}
/** A selection is null for points without a rubric. */
type Graded = { points: number; selection: number[] | null; grader: number } | null;
interface State {
  questions: Question[];
  /** The answers of each submission, in the order of the questions. */
  answers: Graded[][];
}

/** An action that the service has performed, and its response. */
type Done =
  | { kind: 'grade'; submission: number; question: number; graded: Graded }
  | { kind: 'outline' | 'rubric'; questions: Question[] }
  | { kind: 'upload'; submission: number };

const pointsOf = ({ max, rubric }: Question, selection: number[]) =>
  Math.min(
    max,
    (rubric ?? []).reduce((sum, { id, points }) => sum + (selection.includes(id) ? points : 0), 0),
  );

/** The model: the state that an action produces. */
function apply(state: State, done: Done): State {
  // An order in which a removed question was graded is impossible, so the state stays as it is.
  if (state.answers.length === 0) return state;
  if (done.kind === 'upload')
    return {
      ...state,
      answers: state.answers.with(
        done.submission,
        state.questions.map(() => null),
      ),
    };
  if (done.kind === 'grade') {
    const place = state.questions.findIndex(({ id }) => id === done.question);
    const question = state.questions[place];
    const answers = state.answers[done.submission];
    if (!question || !answers) return { questions: [], answers: [] };
    const selection = done.graded?.selection;
    const graded =
      done.graded && selection ? { ...done.graded, points: pointsOf(question, selection) } : done.graded;
    return { ...state, answers: state.answers.with(done.submission, answers.with(place, graded)) };
  }
  // A new outline sets new maxima and keeps the rubrics; a rubric change replaces that rubric and keeps the outline.
  const present = new Map(state.questions.map((question) => [question.id, question]));
  const changed = new Map(done.questions.map((question) => [question.id, question]));
  const questions =
    done.kind === 'outline'
      ? done.questions.map((question) => ({ ...question, rubric: present.get(question.id)?.rubric ?? null }))
      : state.questions.map((question) => ({
          ...question,
          rubric: changed.get(question.id)?.rubric ?? question.rubric,
        }));
  const places = questions.map(({ id }) => state.questions.findIndex((each) => each.id === id));
  const regrade = (question: Question, graded: Graded | undefined): Graded => {
    const kept = graded?.selection?.filter((id) => question.rubric?.some((item) => item.id === id));
    return graded && kept
      ? { ...graded, selection: kept, points: pointsOf(question, kept) }
      : (graded ?? null);
  };
  const answers = state.answers.map((each) =>
    questions.map((question, index) => regrade(question, each[places[index] ?? -1])),
  );
  return { questions, answers };
}

/** Whether some order of the actions leads from one state to the other. */
function leadsTo(from: State, acts: Done[], to: State): boolean {
  if (acts.length === 0) return isDeepStrictEqual(from, to);
  return acts.some((done, index) => leadsTo(apply(from, done), acts.toSpliced(index, 1), to));
}

const tenThousandths = (value: number) => Math.round(value * 10_000);
const decimal = (points: number) => points / 10_000;

/** A state, and the parts of it that the actors read. */
interface Snapshot {
  state: State;
  outline: Answer;
  rubrics: Answer[];
  details: Answer[];
}

async function read(reader: Grader, queue: Queue): Promise<Snapshot> {
  const outline = await reader.get(`${queue.path}/questions`);
  const given = outline.body.data.questions;
  const rubricPath = ({ id }: { id: number }) => `${queue.path}/questions/${id}/rubric`;
  const rubrics = await Promise.all(
    given.map((question: { id: number }) => reader.get(rubricPath(question))),
  );
  const details = await Promise.all(queue.submissionIds.map((id) => reader.get(submissionPath(id))));
  const questions: Question[] = given.map(questionOf);
  for (const { body } of details) expectSum(body.data, questions);
  const answers = details.map(({ body }) => body.data.answers.map(gradedOf));
  return { state: { questions, answers }, outline, rubrics, details };
}

// biome-ignore lint/suspicious/noExplicitAny: parts of responses
type Data = any;

const questionOf = ({ id, max_points, rubric }: Data): Question => ({
  id,
  max: tenThousandths(max_points),
  rubric: rubric?.items.map((item: Data) => ({ id: item.id, points: tenThousandths(item.points) })) ?? null,
});
const gradedOf = ({ points, selection, rubric_revision, graded_by }: Data): Graded =>
  points === null
    ? null
    : {
        points: tenThousandths(points),
        selection: rubric_revision === null ? null : selection,
        grader: graded_by.id,
      };

/** A submission's grade is the sum of the points of its answers, once all are graded. */
function expectSum({ answers, grade, total_grade }: Data, questions: Question[]): void {
  const isGraded = answers.every(({ points }: Data) => points !== null);
  const sum = answers.reduce((total: number, { points }: Data) => total + tenThousandths(points ?? 0), 0);
  const total = questions.reduce((all, { max }) => all + max, 0);
  expect([grade, total_grade]).toEqual(isGraded ? [decimal(sum), decimal(total)] : [null, null]);
}

test('1,000 random interleavings of graders, editors and a student lose no change and mix no states', async () => {
  const queue = await newQueue(quiz, 1);
  // The student may replace a graded sheet while grades are hidden.
  await setSettings(quiz, queue, "release = 'manual'");
  await quiz.upload(queue);
  const uploaded = await quiz.database.query<{ id: number }>(
    'SELECT id FROM quiz.submissions WHERE quiz_id = $1 AND student_id = $2',
    [queue.quizId, queue.studentId],
  );
  // The second submission belongs to the student who uploads.
  queue.submissionIds.push(uploaded[0]?.id ?? 0);
  const [one, two, editor] = [1, 2, 3].map(() => newGrader(quiz, queue.courseId)) as [Grader, Grader, Grader];
  const first = { questions: ['1', '2'].map((label) => ({ label, max_points: 2 })) };
  const made = await editor.put(`${queue.path}/questions`, first, { 'if-match': '*' });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  let last = await read(one, queue);
  const given = new Map<string, number>();

  const property = fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: actsPerRun }), async (acts) => {
    const before = last;
    const results = await Promise.all(acts.map((each) => perform(queue, { one, two, editor }, each, before)));
    last = await read(one, queue);
    const done = results.filter((each) => each !== undefined);
    expect(
      leadsTo(before.state, done, last.state),
      JSON.stringify({ before: before.state, done, after: last.state }),
    ).toBe(true);
    for (const each of done)
      if (each.kind === 'grade' && each.graded) {
        const key = `${queue.submissionIds[each.submission]}/${each.question}/${each.graded.grader}`;
        given.set(key, (given.get(key) ?? 0) + 1);
      }
    for (const [index, id] of queue.submissionIds.entries())
      await expectPublished(id, last.details[index]?.body.data);
  });
  await fc.assert(property, { numRuns: runs, endOnFailure: true });
  // Each grading with the response 200 is in the history of its answer, under its grader, and no other.
  expect(await gradingsInHistory(queue.submissionIds)).toEqual(given);
}, 1_200_000);

/** The last event has the current grade, and so does the last entry in the history of each answer. */
async function expectPublished(id: number, { grade, total_grade, answers }: Data): Promise<void> {
  const [kind, ...published] = (await gradeEvents(quiz, id)).at(-1) ?? ['ungraded', null, null];
  expect([kind, ...published]).toEqual([grade === null ? 'ungraded' : 'graded', grade, total_grade]);
  const rows = await quiz.database.query<{ question_id: number; points: number | null }>(
    `SELECT DISTINCT ON (question_id) question_id, points::float8 AS points FROM quiz.answer_gradings
     WHERE submission_id = $1 ORDER BY question_id, id DESC`,
    [id],
  );
  const latest = new Map(rows.map(({ question_id, points }) => [question_id, points]));
  for (const answer of answers) expect(latest.get(answer.question_id) ?? null).toBe(answer.points);
}

async function gradingsInHistory(ids: number[]): Promise<Map<string, number>> {
  const rows = await quiz.database.query<{ key: string; count: number }>(
    `SELECT submission_id || '/' || question_id || '/' || graded_by AS key, count(*)::int AS count
     FROM quiz.answer_gradings WHERE submission_id = ANY($1) AND reason = 'graded' GROUP BY 1`,
    [ids],
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}

type Actors = Record<'one' | 'two' | 'editor', Grader>;

/** Sends the request for an action; returns undefined if it is refused because of another actor's change. */
async function perform(queue: Queue, actors: Actors, given: Act, seen: Snapshot): Promise<Done | undefined> {
  for (let turn = 0; turn < given.delay; turn += 1) await new Promise(setImmediate);
  if (given.actor === 'student') return upload(queue);
  if (given.actor === 'outliner') return changeOutline(queue, actors.editor, given, seen);
  if (given.actor === 'rubrics') return changeRubric(queue, actors.editor, given, seen);
  return gradeOne(queue, actors[given.actor], given, seen);
}

const placeOf = (given: Act, { state }: Snapshot) => given.question % state.questions.length;

async function upload(queue: Queue): Promise<Done | undefined> {
  const answer = await quiz.upload(queue);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { kind: 'upload', submission: 1 };
}

async function gradeOne(queue: Queue, grader: Grader, given: Act, seen: Snapshot): Promise<Done | undefined> {
  const place = placeOf(given, seen);
  const question = seen.state.questions[place] as Question;
  const tag = seen.details[given.submission]?.body.data.answers[place].tag;
  const path = answerPath(queue.submissionIds[given.submission], question.id);
  const selection =
    given.way === 'selection' && question.rubric
      ? given.places.flatMap((index) => question.rubric?.[index]?.id ?? [])
      : null;
  const revision = seen.rubrics[place]?.body.data?.revision;
  const body = selection ? { selection, rubric_revision: revision } : { points: decimal(given.points) };
  const answer =
    given.way === 'undo'
      ? await grader.delete(path, { 'if-match': tag })
      : await grader.put(path, body, { 'if-match': tag });
  // The response is 404 if the question was removed.
  if (answer.status === 412 || answer.status === 404) return undefined;
  expect(answer.status, JSON.stringify(answer.body)).toBe(given.way === 'undo' ? 204 : 200);
  const graded =
    given.way === 'undo'
      ? null
      : { points: tenThousandths(answer.body.data.points), selection, grader: grader.id };
  return { kind: 'grade', submission: given.submission, question: question.id, graded };
}

let lastLabel = 2;

async function changeOutline(
  queue: Queue,
  editor: Grader,
  given: Act,
  seen: Snapshot,
): Promise<Done | undefined> {
  const place = placeOf(given, seen);
  const present = seen.outline.body.data.questions.map(({ id, label, max_points }: Data) => ({
    ...{ id, label, max_points },
  }));
  lastLabel += 1;
  const questions =
    given.change === 'add' && present.length < 3
      ? [...present, { label: String(lastLabel), max_points: decimal(10_000 + given.points) }]
      : given.change === 'remove' && present.length > 1
        ? present.toSpliced(place, 1)
        : present.with(place, { ...present[place], max_points: decimal(10_000 + given.points) });
  const headers = { 'if-match': etagOf(seen.outline) };
  const answer = await editor.put(`${queue.path}/questions`, { questions }, headers);
  if (answer.status === 412) return undefined;
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { kind: 'outline', questions: answer.body.data.questions.map(questionOf) };
}

async function changeRubric(
  queue: Queue,
  editor: Grader,
  given: Act,
  seen: Snapshot,
): Promise<Done | undefined> {
  const place = placeOf(given, seen);
  const question = seen.state.questions[place] as Question;
  const rubric = seen.rubrics[place] as Answer;
  // Drops the items at these positions except the first, changes the points of the first, and adds one.
  const kept = (rubric.body.data?.items ?? []).filter(
    (_: unknown, index: number) => index === 0 || !given.places.includes(index),
  );
  const items = [
    ...kept.slice(0, 4).map(({ id, points, text }: Data, index: number) => ({
      ...{ id, text },
      points: index === 0 ? decimal(given.points) : points,
    })),
    { points: decimal(given.points), text: 'New' },
  ];
  const headers: Record<string, string> =
    rubric.status === 404 ? { 'if-none-match': '*' } : { 'if-match': etagOf(rubric) };
  const path = `${queue.path}/questions/${question.id}/rubric`;
  const answer = await editor.put(path, { mode: 'add', items }, headers);
  if (answer.status === 412 || answer.status === 404) return undefined;
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
  const { items: after } = answer.body.data;
  return {
    kind: 'rubric',
    questions: [{ ...questionOf({ ...question, max_points: 1, rubric: { items: after } }) }],
  };
}
