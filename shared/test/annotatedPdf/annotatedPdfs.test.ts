import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { annotatedFileRoutes } from '@gradeway/shared/annotatedPdf/annotatedFileRoutes';
import { AnnotatedPdfs, type AnnotatedSubmission } from '@gradeway/shared/annotatedPdf/annotatedPdfs';
import { createPdfRenderer, type PdfRenderer } from '@gradeway/shared/annotatedPdf/pdfRenderer';
import { inTransaction, openDatabase } from '@gradeway/shared/database/connection';
import { openDirectoryStore } from '@gradeway/shared/files/directoryStore';
import { FileLibrary, type LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { createPdfSlots } from '@gradeway/shared/files/pdfChecker';
import { createUrlSigner } from '@gradeway/shared/files/signedUrl';
import { createAnnotatedUrls } from '@gradeway/shared/grading/annotatedUrls';
import { createHttpApp } from '@gradeway/shared/http/app';
import { createPublicUrl } from '@gradeway/shared/http/publicUrl';
import { listen } from '@gradeway/shared/http/server';
import { deleteFileRows } from '@gradeway/shared/personalData/eraseFiles';
import { Health } from '@gradeway/shared/process/health';
import { createLogger } from '@gradeway/shared/process/logger';
import { plainPdf } from '@gradeway/test/plainPdf';
import { textOf } from '@gradeway/test/renderedPage';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const log = createLogger('test', 'silent');
let database: TestDatabase;
let sequelize: Sequelize;
let directory: string;
let library: FileLibrary;
let renderer: PdfRenderer;
let annotated: AnnotatedPdfs;
/** The number of renders. */
let renders: number;

beforeEach(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 8 });
  directory = await mkdtemp(join(tmpdir(), 'gradeway-annotated-'));
  await mkdir(join(directory, 'uploads'));
  library = new FileLibrary(sequelize, await openDirectoryStore(join(directory, 'files')), log);
  const limits = { cpuSeconds: 60, memoryMb: 192 };
  const uploads = join(directory, 'uploads');
  renderer = createPdfRenderer({
    log,
    files: library,
    directory: uploads,
    slots: createPdfSlots(2),
    ...limits,
  });
  renders = 0;
  annotated = openAnnotated();
});
afterEach(async () => {
  renderer.close();
  await sequelize.close();
  await database.drop();
  await rm(directory, { recursive: true });
});

const openAnnotated = (beforeKept?: () => Promise<void>) =>
  new AnnotatedPdfs({
    sequelize,
    files: library,
    renderer: {
      ...renderer,
      async render(request) {
        renders += 1;
        const rendered = await renderer.render(request);
        await beforeKept?.();
        return rendered;
      },
    },
  });

const answer = plainPdf([{ content: 'BT /F1 24 Tf 100 700 Td (Answer) Tj ET' }]);

async function storeAnswer(content = answer): Promise<LibraryFile> {
  const path = join(directory, 'uploads', 'answer');
  await writeFile(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const received = { path, name: 'answer.pdf', size: content.length, sha256, crc32: 0, hasPdfHeader: true };
  const [file] = await library.storePending([received]);
  if (!file) throw new Error('not stored');
  await inTransaction(sequelize, (transaction) => library.attach([file], transaction));
  return file;
}

async function submission(changed: Partial<AnnotatedSubmission> = {}): Promise<AnnotatedSubmission> {
  return {
    id: 1,
    studentId: 1,
    files: [await storeAnswer()],
    marks: [],
    summary: { title: 'Quiz', grade: { points: '5', total: '10' } },
    ...changed,
  };
}

const graded = (state: AnnotatedSubmission, points: string): AnnotatedSubmission => ({
  ...state,
  summary: { title: 'Quiz', grade: { points, total: '10' } },
});
const pathOf = ({ key }: LibraryFile) => join(directory, 'files', key.slice(0, 2), key);
const storedFiles = async () =>
  (await readdir(join(directory, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );

test('an annotated PDF is rendered once for each state of a submission', async () => {
  const state = await submission();
  const first = await annotated.open(state);
  expect(await textOf(pathOf(first), 2)).toContain('5');
  expect(await annotated.open(state)).toEqual(first);
  expect(renders).toBe(1);
  const second = await annotated.open(graded(state, '8'));
  expect(second.id).not.toBe(first.id);
  expect(await textOf(pathOf(second), 2)).toContain('8');
});

test('rendering a faulty PDF is attempted once for each state of a submission', async () => {
  const state = await submission({ files: [await storeAnswer(Buffer.from('%PDF-1.7 damaged'))] });
  for (let count = 0; count < 3; count += 1)
    await expect(annotated.open(state)).rejects.toMatchObject({ code: 'conflict' });
  expect(renders).toBe(1);
  await expect(annotated.open(graded(state, '8'))).rejects.toMatchObject({ code: 'conflict' });
  expect(renders).toBe(2);
});

test('a file that the store has lost results in 404, both original and annotated', async () => {
  const state = await submission();
  const kept = await annotated.open(state);
  await Promise.all([...state.files, kept].map((file) => rm(pathOf(file))));
  await expect(openAnnotated().open(graded(state, '8'))).rejects.toMatchObject({ code: 'not_found' });
  const { url, close } = await serve(async () => state);
  expect((await fetch(url(1))).status).toBe(404);
  await close();
});

test('simultaneous readers of an annotated PDF wait for one render', async () => {
  const state = await submission();
  const opened = await Promise.all(Array.from({ length: 6 }, () => annotated.open(state)));
  expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
  expect(renders).toBe(1);
});

test('two processes that render the same state store only one PDF', async () => {
  const state = await submission();
  await Promise.all([openAnnotated().open(state), openAnnotated().open(state)]);
  await waitFor(async () => (await storedFiles()).length === 2);
  expect(await database.query('SELECT submission_id FROM quiz.marked_pdfs')).toEqual([{ submission_id: 1 }]);
});

describe('a stale PDF is removed', () => {
  test('the next render removes a stale PDF', async () => {
    const state = await submission();
    await annotated.open(state);
    await annotated.open(graded(state, '8'));
    await waitFor(async () => (await storedFiles()).length === 2);
  });

  test('a change to the submission removes a stale PDF', async () => {
    const [created] = await database.query<{ id: number }>(
      `WITH quiz AS (INSERT INTO quiz.quizzes (title, course_id) VALUES ('Quiz', 1) RETURNING id)
       INSERT INTO quiz.submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
       SELECT id, 1, 7, now(), 30, now() FROM quiz RETURNING id`,
    );
    const state = await submission({ id: created?.id ?? 0 });
    await annotated.open(state);
    await database.query('UPDATE quiz.submissions SET revision = 1 WHERE id = $1', [state.id]);
    await library.sweep();
    expect(await database.query('SELECT * FROM quiz.marked_pdfs')).toEqual([]);
    expect(await storedFiles()).toHaveLength(1);
    await annotated.open(state);
    expect(renders).toBe(2);
  });

  test.each(['remove', 'reduce'] as const)(
    'a stale PDF is removed when one of its files is %sd',
    async (change) => {
      const state = await submission();
      await annotated.open(state);
      const ids = state.files.map(({ id }) => id);
      await inTransaction(sequelize, (transaction) => library[change](ids, transaction));
      await waitFor(async () => (await storedFiles()).length === 0);
      expect(await database.query('SELECT * FROM quiz.marked_pdfs')).toEqual([]);
    },
  );

  test.each([
    ['', 'false'],
    [', even if it is already stale', 'true'],
  ])(
    'a PDF is removed with the files of an erased person, and its key is recorded for deletion%s',
    async (_, isStale) => {
      const state = await submission();
      const kept = await annotated.open(state);
      const end = 'UPDATE quiz.files SET removed_at = now() WHERE id = $1 AND $2::boolean';
      await database.query(end, [kept.id, isStale]);
      const ids = state.files.map(({ id }) => id);
      await inTransaction(sequelize, (transaction) => deleteFileRows(sequelize, ids, 7, transaction));
      const erased = await database.query<{ key: string }>('SELECT key FROM quiz.erased_files');
      expect(erased.map(({ key }) => key).toSorted()).toEqual(
        [kept.key, ...state.files.map(({ key }) => key)].toSorted(),
      );
      expect(await database.query('SELECT id FROM quiz.files')).toEqual([]);
    },
  );
});

test('a PDF rendered while its file is removed is discarded', async () => {
  const state = await submission();
  const ids = state.files.map(({ id }) => id);
  const slow = openAnnotated(() =>
    inTransaction(sequelize, (transaction) => library.remove(ids, transaction)),
  );
  await expect(slow.open(state)).rejects.toMatchObject({ code: 'not_found' });
  await waitFor(async () => (await storedFiles()).length === 0);
  expect(await database.query('SELECT * FROM quiz.marked_pdfs')).toEqual([]);
  expect(await readdir(join(directory, 'uploads'))).toEqual([]);
});

test('a signed URL returns the newest state, and another URL does not', async () => {
  let state: AnnotatedSubmission | undefined = await submission();
  const { origin, signer, url: urlOf, close } = await serve(async (id) => (id === 1 ? state : undefined));

  const answer = await fetch(urlOf(1));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('content-disposition')).toContain('answer (annotated).pdf');
  expect(answer.headers.get('cache-control')).toContain('no-cache');
  // fetch would send no-cache, which requests the whole response.
  const known = { 'If-None-Match': answer.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' };
  expect((await fetch(urlOf(1), { headers: known })).status).toBe(304);
  state = graded(state, '9');
  expect((await fetch(urlOf(1), { headers: known })).status).toBe(200);

  expect((await fetch(urlOf(2))).status).toBe(403);
  expect((await fetch(urlOf(1).replace('/1?', '/3?'))).status).toBe(403);
  // A signature for a file is not valid for a submission.
  expect((await fetch(`${origin}/api/v3/files/quiz/annotated/1?${signer.query('1')}`)).status).toBe(403);
  state = undefined;
  expect((await fetch(urlOf(1))).status).toBe(403);
  await close();
});

/** A server with the routes of annotated PDFs. */
async function serve(findSubmission: (id: number) => Promise<AnnotatedSubmission | undefined>) {
  const signer = createUrlSigner({ secret: 'a secret of the test', purpose: 'quiz file', ttlMs: 60_000 });
  const routes = annotatedFileRoutes({ service: 'quiz', files: library, annotated, signer, findSubmission });
  const app = createHttpApp({ log, health: new Health(), requestTimeoutMs: 60_000 }, [routes]);
  const server = await listen(app, { host: '127.0.0.1', port: 0, requestTimeoutMs: 60_000 });
  const origin = `http://127.0.0.1:${server.port}`;
  const urls = createAnnotatedUrls('quiz', signer, createPublicUrl(origin));
  // biome-ignore lint/suspicious/noExplicitAny: the request only matters without a public URL
  return { origin, signer, url: urls({} as any), close: () => server.close() };
}
