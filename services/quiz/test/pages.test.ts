import { plainPdf } from '@gradeway/test/plainPdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Grader, newGrader, submissionPath } from './graders.ts';
import { setSettings } from './items.ts';
import { gradeAll, newQuestionScene, type QuestionScene } from './questionScene.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService({ TRUST_CLIENT_CLOCK: 'true' });
});
afterAll(() => quiz.close());

const put = ({ own, ownPath }: QuestionScene, pages: object[]) => own.put(`${ownPath}/pages`, { pages });
const pagesOf = async ({ own, ownPath }: QuestionScene) => (await own.get(ownPath)).body.data.pages;
const pageNumbers = (answers: { pages: { page: number }[] }[]) =>
  answers.map(({ pages }) => pages.map(({ page }) => page));
const answersOf = async ({ grader, id }: QuestionScene) =>
  (await grader.get(submissionPath(id))).body.data.answers;

test("a student assigns answers to other pages of the sheet, and graders and the student's view show these pages", async () => {
  const scene = await newQuestionScene(quiz);
  const [first, second] = scene.questionIds;
  const answer = await put(scene, [
    { question_id: second, page: 1 },
    { question_id: first, page: 1 },
    { question_id: first, page: 1 },
  ]);
  const [{ id: fileId }] = (await scene.own.get(scene.ownPath)).body.data.files;
  const pages = [
    { question_id: first, file_id: fileId, page: 1 },
    { question_id: second, file_id: fileId, page: 1 },
  ];
  expect([answer.status, answer.body]).toEqual([200, { data: { pages } }]);
  expect(await pagesOf(scene)).toEqual(pages);
  for (const { pages: places } of await answersOf(scene))
    expect(places).toEqual([{ file_id: fileId, page: 1 }]);
  await put(scene, []);
  expect(await pagesOf(scene)).toEqual([]);
});

test('after pages are reordered, all graders and the student see the same page of each answer', async () => {
  const scene = await newQuestionScene(quiz);
  const [first, second] = scene.questionIds;
  expect((await quiz.upload(scene, { file: new Blob([plainPdf([{}, {}])]) })).status).toBe(200);
  const colleague = newGrader(quiz, scene.courseId);
  const read = async (grader: Grader) => {
    const detail = (await grader.get(submissionPath(scene.id))).body.data.answers;
    const claimed = (await grader.post(`${scene.path}/next`, { question_id: first, skip: [] })).body.data;
    await grader.delete(`${submissionPath(scene.id)}/questions/${first}/claim`);
    const listed = (await grader.get(`${scene.path}/submissions?question_id=${first}`)).body.data;
    return {
      detail: pageNumbers(detail),
      claimed: pageNumbers(claimed.answers),
      listed: pageNumbers([listed[0].answer]),
    };
  };
  const expectPages = async (ofFirst: number, ofSecond: number) => {
    const pages = [[ofFirst], [ofSecond]];
    for (const grader of [scene.grader, colleague])
      expect(await read(grader)).toEqual({ detail: pages, claimed: pages, listed: [[ofFirst]] });
    expect((await pagesOf(scene)).map(({ page }: { page: number }) => page)).toEqual([ofFirst, ofSecond]);
  };
  await put(scene, [
    { question_id: first, page: 1 },
    { question_id: second, page: 2 },
  ]);
  await expectPages(1, 2);
  const pages = [
    { question_id: first, page: 2 },
    { question_id: second, page: 1 },
  ];
  expect((await colleague.put(`${submissionPath(scene.id)}/pages`, { pages })).status).toBe(200);
  await expectPages(2, 1);
});

test('pages do not change the tags that graders use', async () => {
  const scene = await newQuestionScene(quiz);
  const seen = await scene.grader.get(submissionPath(scene.id));
  await put(scene, [{ question_id: scene.questionIds[0], page: 1 }]);
  const after = await scene.grader.get(submissionPath(scene.id));
  expect(after.headers.get('etag')).toBe(seen.headers.get('etag'));
  const tags = (data: { answers: { tag: string }[] }) => data.answers.map(({ tag }) => tag);
  expect(tags(after.body.data)).toEqual(tags(seen.body.data));
});

test('a question, a file or a page that the submission does not have is invalid', async () => {
  const [scene, other] = [await newQuestionScene(quiz), await newQuestionScene(quiz)];
  const [first] = scene.questionIds;
  const [{ id: foreign }] = (await other.own.get(other.ownPath)).body.data.files;
  const invalid = [
    { question_id: other.questionIds[0], page: 1 },
    { question_id: first, page: 2 },
    { question_id: first, page: 0 },
    { question_id: first, file_id: foreign, page: 1 },
    { question_id: first },
  ];
  for (const page of invalid) {
    const { status, body } = await put(scene, [page]);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['pages']]);
  }
  expect((await scene.own.put(`${scene.ownPath}/pages`, {})).status).toBe(422);
  expect((await other.own.put(`${scene.ownPath}/pages`, { pages: [] })).status).toBe(404);
});

test('a new sheet clears the pages, and new pages refer to the new sheet', async () => {
  const scene = await newQuestionScene(quiz);
  const pages = [{ question_id: scene.questionIds[0], page: 2 }];
  expect((await put(scene, pages)).status).toBe(422);
  await put(scene, [{ question_id: scene.questionIds[0], page: 1 }]);
  const file = new Blob([plainPdf([{}, {}])]);
  expect((await quiz.upload(scene, { file })).status).toBe(200);
  expect(await pagesOf(scene)).toEqual([]);
  expect((await put(scene, pages)).status).toBe(200);
});

test('pages can change while the grade is hidden, but not once it is visible', async () => {
  const scene = await newQuestionScene(quiz);
  await scene.grader.delete(`${scene.path}/release`);
  await gradeAll(scene, [1, 1]);
  const pages = [{ question_id: scene.questionIds[1], page: 1 }];
  expect((await put(scene, pages)).status).toBe(200);
  const answers = await answersOf(scene);
  expect(answers).toMatchObject([{ points: 1 }, { points: 1, pages: [{ page: 1 }] }]);
  await scene.grader.post(`${scene.path}/release`);
  const refused = await put(scene, []);
  expect([refused.status, refused.body.message]).toEqual([409, 'Submission already graded']);
});

test('a student has 15 minutes after their own closing time, and a grader has no limit', async () => {
  const scene = await newQuestionScene(quiz);
  const closed = (minutes: number) => `closes_at = now() - interval '${minutes} minutes'`;
  const pages = [{ question_id: scene.questionIds[0], page: 1 }];
  await setSettings(quiz, scene, closed(14));
  expect((await put(scene, pages)).status).toBe(200);
  await setSettings(quiz, scene, closed(16));
  const late = await put(scene, pages);
  expect([late.status, late.body.message]).toEqual([403, 'QuizDurationExpired']);
  const allowance = { closes_at: new Date(Date.now() - 60_000).toISOString() };
  const allowed = await scene.grader.put(`${scene.path}/allowances/${scene.studentId}`, allowance);
  expect([allowed.status, (await put(scene, pages)).status]).toEqual([200, 200]);
  await quiz.database.query(
    "UPDATE quiz.submissions SET start_at = now() - interval '46 minutes' WHERE id = $1",
    [scene.id],
  );
  expect((await put(scene, pages)).body.message).toBe('QuizDurationExpired');
  const staff = await scene.grader.put(`${submissionPath(scene.id)}/pages`, { pages });
  expect([staff.status, staff.body.data.pages.length]).toEqual([200, 1]);
  const stranger = newGrader(quiz);
  expect((await stranger.put(`${submissionPath(scene.id)}/pages`, { pages })).status).toBe(404);
});
