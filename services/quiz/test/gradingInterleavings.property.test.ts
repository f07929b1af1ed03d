import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  etagOf,
  type Grader,
  makeRubric,
  newGrader,
  newQueue,
  type Queue,
  type RubricObject,
  submissionPath,
} from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

/*
 * Two graders and an editor of the rubric act at the same time, each based on the state that it saw last. In whatever
 * order the service executes their requests, its responses and its state must match a sequential execution.
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
  actor: fc.constantFrom('one', 'two', 'editor'),
  submission: fc.nat({ max: 1 }),
  byRubric: fc.boolean(),
  places: fc.subarray([0, 1, 2]),
  points: fc.integer({ min: 0, max: 9_999 }),
  delay: fc.nat({ max: 3 }),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

interface State {
  rubric: { id: number; points: number }[];
  grades: { grade: number; selection: number[] | null; grader: number }[];
}

const decimal = (points: number) => points / 10_000;
const sum = (items: State['rubric'], ids: number[]) =>
  items.reduce((total, { id, points }) => total + (ids.includes(id) ? points : 0), 0);

/**
 * The model: the state that an action produces. A selection stays, without the items removed from the rubric, and its
 * points are recalculated.
 */
function apply(state: State, done: Done): State {
  const { given } = done;
  if (given.actor === 'editor') {
    const rubric = done.items;
    const regrade = (each: State['grades'][number]) => {
      const selection = each.selection?.filter((id) => rubric.some((item) => item.id === id)) ?? null;
      return { ...each, selection, grade: selection ? sum(rubric, selection) : each.grade };
    };
    return { rubric, grades: state.grades.map(regrade) };
  }
  const graded = { grader: done.grader, selection: done.selection };
  const grade = done.selection ? sum(state.rubric, done.selection) : given.points;
  return { ...state, grades: state.grades.with(given.submission, { ...graded, grade }) };
}

/** An action with the response 200. */
interface Done {
  given: Act;
  grader: number;
  selection: number[] | null;
  items: State['rubric'];
}

/** Whether some order of the actions leads from one state to the other. */
function leadsTo(from: State, acts: Done[], to: State): boolean {
  if (acts.length === 0) return isDeepStrictEqual(from, to);
  return acts.some((done, index) => leadsTo(apply(from, done), acts.toSpliced(index, 1), to));
}

type Read = Awaited<ReturnType<Grader['get']>>;

/** A state, and the parts of it that the actors read. */
interface Snapshot {
  state: State;
  rubric: Read;
  details: Read[];
}

async function read(reader: Grader, queue: Queue): Promise<Snapshot> {
  const rubric = await reader.get(`${queue.path}/rubric`);
  const details = await Promise.all(queue.submissionIds.map((id) => reader.get(submissionPath(id))));
  const { revision, items } = rubric.body.data as RubricObject;
  const grades = details.map(({ body: { data } }) => {
    // No grade belongs to an earlier version of the rubric.
    if (data.rubric_revision !== null) expect(data.rubric_revision).toBe(revision);
    const selection = data.rubric_revision === null ? null : data.selection;
    return { grade: tenThousandths(data.grade), selection, grader: data.graded_by.id };
  });
  return { state: { rubric: items.map(pointsById), grades }, rubric, details };
}

const tenThousandths = (value: number) => Math.round(value * 10_000);
const pointsById = ({ id, points }: RubricObject['items'][number]) => ({
  id,
  points: tenThousandths(points),
});

test('1,000 random interleavings of two graders and an editor lose no change and mix no states', async () => {
  const queue = await newQueue(quiz, 2, { total_grade_for_quiz_pdf: '100' });
  const [one, two, editor] = [1, 2, 3].map(() => newGrader(quiz, queue.courseId)) as [Grader, Grader, Grader];
  const items = [1, 2, 3].map((points) => ({ points, text: `Item ${points}` }));
  await makeRubric(editor, queue, { mode: 'add', max_points: 100, items });
  for (const id of queue.submissionIds) await one.put(submissionPath(id), { grade: 1 }, { 'if-match': '*' });
  let last = await read(one, queue);
  const given = queue.submissionIds.map(() => [one.id]);

  const property = fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: actsPerRun }), async (acts) => {
    const before = last;
    const answers = await Promise.all(
      acts.map((given) => perform(queue, { one, two, editor }, given, before)),
    );
    last = await read(one, queue);
    const done = answers.filter((each) => each !== undefined);
    // A grading is rejected only after a change by another grader; one of two gradings of the same state is rejected.
    expect(done.length).toBeGreaterThan(0);
    const gradings = done.filter((each) => each.given.actor !== 'editor');
    expect(new Set(gradings.map((each) => each.given.submission)).size).toBe(gradings.length);
    for (const { given: act, grader } of gradings) given[act.submission]?.push(grader);
    expect(
      leadsTo(before.state, done, last.state),
      JSON.stringify({ before: before.state, done, after: last.state }),
    ).toBe(true);
  });
  await fc.assert(property, { numRuns: runs, endOnFailure: true });
  // Each grading with the response 200 is in the history of its submission, under its grader, and no other.
  for (const [index, id] of queue.submissionIds.entries())
    expect(await gradersInHistory(id)).toEqual(given[index]);
}, 600_000);

const gradersInHistory = async (id: number) => {
  const rows = await quiz.database.query<{ grader: number }>(
    "SELECT graded_by AS grader FROM quiz.gradings WHERE submission_id = $1 AND reason = 'graded' ORDER BY id",
    [id],
  );
  return rows.map(({ grader }) => grader);
};

/** Sends the request for an action; returns undefined if it is refused because of another actor's change. */
async function perform(
  queue: Queue,
  actors: Record<Act['actor'], Grader>,
  given: Act,
  { rubric, details }: Snapshot,
): Promise<Done | undefined> {
  for (let turn = 0; turn < given.delay; turn += 1) await new Promise(setImmediate);
  const actor = actors[given.actor];
  const { items, revision } = rubric.body.data as RubricObject;
  const isEditor = given.actor === 'editor';
  // Drops the items at these positions, except the first item, changes the points of one, and adds one.
  const kept = items.filter((_, place) => place === 0 || !given.places.includes(place)).slice(0, 5);
  const changed = [
    ...kept.map((item, place) => (place === 0 ? { ...item, points: decimal(given.points) } : item)),
    { points: decimal(given.points), text: 'New' },
  ];
  const selection = given.byRubric ? given.places.flatMap((place) => items[place]?.id ?? []) : null;
  const answer = isEditor
    ? await actor.put(
        `${queue.path}/rubric`,
        { mode: 'add', max_points: 100, items: changed },
        { 'if-match': etagOf(rubric) },
      )
    : await actor.put(
        submissionPath(queue.submissionIds[given.submission]),
        selection
          ? { selection, rubric_revision: revision }
          : { grade: decimal(given.points), total_grade: 100 },
        { 'if-match': details[given.submission]?.headers.get('etag') ?? '' },
      );
  if (answer.status === 412) return undefined;
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const after = isEditor ? (answer.body.data as RubricObject).items : [];
  return { given, grader: actor.id, selection, items: after.map(pointsById) };
}
