import { type Answer, createHttpClient, form, pdf } from '@gradeway/test/httpClient';
import { type Cut, type LostCommits, loseCommits } from '@gradeway/test/lostCommits';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

let quiz: QuizService;
let commits: LostCommits;
beforeAll(async () => {
  quiz = await startQuizService(async (database) => {
    commits = await loseCommits(database.url('quiz'));
    return { DATABASE_URL: commits.url };
  });
});
afterAll(async () => {
  await quiz.close();
  commits.close();
});

interface UseCase {
  send(scene: Scene, file: File): Promise<Answer>;
  /** The ids of the files that its record refers to. */
  files: string;
}

const api = (token: string) => createHttpClient({ baseUrl: quiz.service.url, token });

const useCases: [string, UseCase][] = [
  [
    'an answer sheet',
    {
      send: (scene, file) => quiz.upload(scene, { file }),
      files: 'SELECT file_id AS id FROM quiz.submissions WHERE course_id = $1',
    },
  ],
  [
    'a new quiz',
    {
      send: ({ courseId }, file) =>
        api(quiz.admin).post(
          '/api/v3/quiz/pdf-quizzes',
          form({ title: 'New', course_id: String(courseId), file }),
        ),
      files:
        'SELECT questions_file_id AS id FROM quiz.quizzes WHERE course_id = $1 AND questions_file_id > 0',
    },
  ],
  [
    'a changed quiz',
    {
      send: ({ quizId }, file) => quiz.patch(`/api/v3/quiz/pdf-quizzes/${quizId}`, { file }),
      files:
        'SELECT questions_file_id AS id FROM quiz.quizzes WHERE course_id = $1 AND questions_file_id > 0',
    },
  ],
];

async function sendAndLose({ send, files }: UseCase, cut: Cut) {
  const scene = await quiz.setUp();
  const before = await quiz.storedFiles();
  const cuts = commits.cuts();
  commits.cutNext(/UPDATE files SET attached_at/, cut);
  const answer = await send(scene, await pdf('lost.pdf'));
  expect(commits.cuts()).toBe(cuts + 1);
  const referenced = await quiz.database.query<{ id: number }>(files, [scene.courseId]);
  return { scene, before, answer, referenced };
}

test.each(useCases)('the file of %s stays when the result of its COMMIT is lost', async (_, useCase) => {
  const { before, answer, referenced } = await sendAndLose(useCase, 'committed');
  expect(answer.status).toBe(503);
  expect(referenced).toHaveLength(1);
  const [file] = await quiz.database.query<{ key: string }>(
    'SELECT key FROM quiz.files WHERE id = $1 AND attached_at IS NOT NULL AND removed_at IS NULL',
    [referenced[0]?.id],
  );
  expect(await quiz.storedNames()).toContain(file?.key);
  expect(await quiz.storedFiles()).toBe(before + 1);
});

test.each(useCases)('the file of %s is deleted when its transaction did not commit', async (_, useCase) => {
  const { before, answer, referenced } = await sendAndLose(useCase, 'not committed');
  expect(answer.status).toBe(503);
  expect(referenced).toEqual([]);
  await waitFor(async () => (await quiz.storedFiles()) === before);
  expect(await quiz.database.query('SELECT id FROM quiz.files WHERE attached_at IS NULL')).toEqual([]);
});

test('a file stays when its transaction commits after the service has given up', async () => {
  const [[, useCase]] = useCases as [(typeof useCases)[0]];
  const { scene, before, answer } = await sendAndLose(useCase, 'committed late');
  expect(answer.status).toBe(503);
  const submission = 'SELECT id FROM quiz.submissions WHERE quiz_id = $1';
  await waitFor(async () => (await quiz.database.query(submission, [scene.quizId])).length === 1);
  expect(await quiz.storedFiles()).toBe(before + 1);
});

test('an upload with an Idempotency-Key gets 200 even though the result of its COMMIT is lost', async () => {
  const scene = await quiz.setUp();
  const [before, file] = [await quiz.storedFiles(), await pdf('lost.pdf')];
  const start = { start_at: new Date().toISOString().slice(0, 19) };
  const send = () => quiz.upload(scene, { file, ...start }, { 'idempotency-key': `lost-${scene.quizId}` });
  commits.cutNext(/UPDATE files SET attached_at/, 'committed');
  for (const answer of [await send(), await send()]) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('submission-receipt')).toBeTruthy();
  }
  await waitFor(async () => (await quiz.storedFiles()) === before + 1);
  const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, quiz.admin);
  const opened = await api('').get(body.data.submissions[0].pdf_answer_url);
  expect(opened.body).toEqual(Buffer.from(await file.arrayBuffer()));
});
