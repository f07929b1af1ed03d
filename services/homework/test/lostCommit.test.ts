import { type Answer, pdf } from '@gradeway/test/httpClient';
import { type Cut, type LostCommits, loseCommits } from '@gradeway/test/lostCommits';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, type Scene, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
let commits: LostCommits;
beforeAll(async () => {
  homework = await startHomeworkService(async (database) => {
    commits = await loseCommits(database.url('homework'));
    return { DATABASE_URL: commits.url };
  });
});
afterAll(async () => {
  await homework.close();
  commits.close();
});

interface UseCase {
  send(scene: Scene): Promise<Answer>;
  /** The ids of the files that its record refers to. */
  files: string;
  count: number;
}

const useCases: [string, UseCase][] = [
  [
    'a submission',
    {
      send: async ({ classId, student }) =>
        homework.submit(classId, student, { 'a.pdf': await pdf(), 'b.pdf': await pdf() }),
      files: `SELECT file_id AS id FROM homework.submission_files
              JOIN homework.submissions s ON s.id = submission_id WHERE class_id = $1`,
      count: 2,
    },
  ],
  [
    'an assignment',
    {
      send: async ({ classId }) => homework.put(classId, { file: await pdf() }),
      files: 'SELECT file_id AS id FROM homework.assignments WHERE class_id = $1 AND file_id IS NOT NULL',
      count: 1,
    },
  ],
];

async function sendAndLose({ send, files }: UseCase, cut: Cut) {
  const scene = await homework.setUp();
  const before = await homework.storedFiles();
  const cuts = commits.cuts();
  commits.cutNext(/UPDATE files SET attached_at/, cut);
  const answer = await send(scene);
  expect(commits.cuts()).toBe(cuts + 1);
  return { before, answer, referenced: await homework.rows<{ id: number }>(files, scene.classId) };
}

test.each(useCases)('the files of %s stay when the result of its COMMIT is lost', async (_, useCase) => {
  const { before, answer, referenced } = await sendAndLose(useCase, 'committed');
  expect(answer.status).toBe(503);
  expect(referenced).toHaveLength(useCase.count);
  const files = await homework.rows<{ key: string }>(
    'SELECT key FROM homework.files WHERE id = ANY($1) AND attached_at IS NOT NULL AND removed_at IS NULL',
    referenced.map(({ id }) => id),
  );
  expect(await homework.storedNames()).toEqual(expect.arrayContaining(files.map(({ key }) => key)));
  expect(files).toHaveLength(useCase.count);
  expect(await homework.storedFiles()).toBe(before + useCase.count);
});

test.each(useCases)('the files of %s are deleted when its transaction did not commit', async (_, useCase) => {
  const { before, answer, referenced } = await sendAndLose(useCase, 'not committed');
  expect(answer.status).toBe(503);
  expect(referenced).toEqual([]);
  await waitFor(async () => (await homework.storedFiles()) === before);
  expect(await homework.rows('SELECT id FROM homework.files WHERE attached_at IS NULL')).toEqual([]);
});
