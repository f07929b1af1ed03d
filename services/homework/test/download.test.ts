import { readdir, readFile, readlink, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { makePdf } from '@gradeway/local/demoPdf';
import type { Answer } from '@gradeway/test/httpClient';
import { readArchive } from '@gradeway/test/readArchive';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesForm, type HomeworkService, type Student, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

const pathOf = (id: number | string) => `/api/v3/assignments/download/${id}`;
const download = (id: number | string, token: string | null = homework.admin) =>
  homework.call(pathOf(id), token);
const refusal = ({ status, body }: Answer) => ({ status, body });
const unauthorized = { status: 401, body: { message: 'UnauthorizedRequest', errors: null } };
const notFound = { status: 404, body: { message: 'PDF Homework not found', errors: null } };

async function submitFiles(files: [string, Blob][]) {
  const scene = await homework.setUp();
  const answer = await homework.submit(scene.classId, scene.student, filesForm(files));
  expect(answer.status).toBe(201);
  const data: { id: number; files: { id: number; name: string }[] } = answer.body.data;
  return { ...scene, ...data };
}

const unzip = ({ body }: Answer) => readArchive(body);

/** The path of a stored file. */
async function storedPath(fileId: number | undefined): Promise<string> {
  const [file] = await homework.rows<{ key: string }>('SELECT key FROM homework.files WHERE id = $1', fileId);
  const key = file?.key ?? '';
  return join(homework.service.directory, 'files', key.slice(0, 2), key);
}

test('the archive of a submission contains all of its files, unchanged', async () => {
  const contents = await Promise.all(['One', 'Two'].map((title) => makePdf(title, { bytes: 3_000_000 })));
  const { id, student } = await submitFiles([
    ['one.pdf', new Blob([contents[0] as Buffer])],
    ['Übung zwei 宿題.pdf', new Blob([contents[1] as Buffer])],
  ]);
  const answer = await download(id, student.token);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="submission-${id}.zip"`);
  expect(Number(answer.headers.get('content-length'))).toBe(answer.body.length);
  expect(await unzip(answer)).toEqual([
    { name: 'one.pdf', content: contents[0], stored: true },
    { name: 'Übung zwei 宿題.pdf', content: contents[1], stored: true },
  ]);
});

test('the archive of a submission has safe and unique names, whatever the files are called', async () => {
  const names = [
    'a.pdf',
    'a.pdf',
    'A.PDF',
    '../../etc/passwd',
    'C:\\Users\\me\\b.pdf',
    'nul.pdf',
    'gnp\u202E.pdf',
    'What? Why: "x".pdf',
    '…',
    'عمل.pdf',
  ];
  const { id } = await submitFiles(names.map((name) => [name, homework.pdf]));
  const entries = await unzip(await download(id));
  expect(entries.map(({ name }) => name)).toEqual([
    'a.pdf',
    'a (2).pdf',
    'A (3).PDF',
    'passwd.pdf',
    'b.pdf',
    '_nul.pdf',
    'gnp.pdf',
    'What_ Why_ _x_.pdf',
    '….pdf',
    'عمل.pdf',
  ]);
});

test('a file name that an earlier version stored is cleaned where it is served and archived (D55)', async () => {
  const { id, classId, files } = await submitFiles([['a.pdf', homework.pdf]]);
  const fileId = files[0]?.id;
  await homework.rows('UPDATE homework.files SET name = $1 WHERE id = $2', '.run\u2028\u2029me.html', fileId);
  const entries = await unzip(await download(id));
  expect(entries.map(({ name }) => name)).toEqual(['runme.html.pdf']);
  const { body } = await homework.get(`/api/v3/admin/homeworks/${classId}`, homework.admin);
  const { pathname, search } = new URL(body.submissions[0].files[0].url);
  const { headers } = await homework.call(pathname + search, null);
  expect(headers.get('content-disposition')).toBe('inline; filename=runme.html.pdf');
});

test('the archive of a submission contains only current files, not replaced or removed ones', async () => {
  const { id, classId, student } = await submitFiles([['old.pdf', homework.pdf]]);
  const { files } = await homework.submitted(classId, student, ['new.pdf', 'wrong.pdf']);
  await homework.call(`/api/v3/admin/homeworks/submissions/${id}/files/${files[1]?.id}`, homework.admin, {
    method: 'DELETE',
  });
  expect((await unzip(await download(id))).map(({ name }) => name)).toEqual(['new.pdf']);
});

test('HEAD of an archive returns the length and opens no file', async () => {
  const { id } = await submitFiles([['a.pdf', homework.pdf]]);
  const whole = await download(id);
  const answer = await homework.call(pathOf(id), homework.admin, { method: 'HEAD' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-length')).toBe(String(whole.body.length));
});

describe('access to a download', () => {
  test('only administrators and the student of the submission may download it (D22)', async () => {
    const { id, courseId, student } = await submitFiles([['a.pdf', homework.pdf]]);
    const others: (string | null)[] = [null, 'nonsense', homework.enroll(courseId).token];
    for (const role of ['instructor', 'parent'] as const) others.push(homework.tokens.sign(student.id, role));
    for (const token of others) expect(refusal(await download(id, token))).toEqual(unauthorized);
    for (const token of [homework.admin, student.token]) {
      expect((await download(id, token)).status).toBe(200);
    }
  });

  test('a download does not reveal to students which submissions exist', async () => {
    const { student } = homework.setUpClass();
    expect(refusal(await download(999_999, student.token))).toEqual(unauthorized);
    expect(refusal(await download(999_999))).toEqual(notFound);
  });

  test('a download returns 404 for a submission without files', async () => {
    const { id, files, student } = await submitFiles([['a.pdf', homework.pdf]]);
    await homework.call(`/api/v3/admin/homeworks/submissions/${id}/files/${files[0]?.id}`, homework.admin, {
      method: 'DELETE',
    });
    expect(refusal(await download(id))).toEqual(notFound);
    expect(refusal(await download(id, student.token))).toEqual(notFound);
  });

  test.each(['abc', '0', '2147483648'])('a download returns the standard 404 for the id %s', async (id) => {
    expect(refusal(await download(id))).toEqual({
      status: 404,
      body: { message: 'Not Found', errors: null },
    });
  });
});

describe('a failing store', () => {
  const threeFiles = async () => {
    const large = new Blob([await makePdf('Scan', { bytes: 2_000_000 })]);
    return submitFiles(['a.pdf', 'b.pdf', 'c.pdf'].map((name) => [name, large]));
  };

  test('a store that fails midway aborts the download, so that an incomplete archive never looks complete', async () => {
    const { id, files } = await threeFiles();
    await rm(await storedPath(files[1]?.id));
    await expect(download(id)).rejects.toThrow();
  });

  test('a truncated file in the store aborts the download', async () => {
    const { id, files } = await threeFiles();
    await truncate(await storedPath(files[2]?.id), 1_000);
    await expect(download(id)).rejects.toThrow();
  });

  test('a store that fails before the first byte results in an error status', async () => {
    const { id, files } = await threeFiles();
    await rm(await storedPath(files[0]?.id));
    const answer = await download(id);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(refusal(answer)).toEqual({ status: 500, body: { message: 'Server Error', errors: null } });
    // The line may arrive after the response.
    await waitFor(() => homework.service.log().includes('"msg":"request failed"'));
  });

  test('a failing store does not affect later downloads', async () => {
    const { id } = await submitFiles([['a.pdf', homework.pdf]]);
    expect(await unzip(await download(id))).toHaveLength(1);
  });
});

test.runIf(process.platform === 'linux')(
  'a client that disconnects stops the download, and its files are closed',
  async () => {
    const large = new Blob([await makePdf('Scan', { bytes: 12_000_000 })]);
    const { id } = await submitFiles(['a.pdf', 'b.pdf'].map((name) => [name, large]));
    const pid = await pidOfService();
    const openFiles = async () => {
      const names = await readdir(`/proc/${pid}/fd`);
      const targets = await Promise.all(
        names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
      );
      return targets.filter((target) => target.startsWith(join(homework.service.directory, 'files')));
    };
    const downloads = await Promise.all(
      [1, 2, 3].map(async () => {
        const abort = new AbortController();
        const answer = await fetch(homework.service.url + pathOf(id), {
          headers: { authorization: `Bearer ${homework.admin}` },
          signal: abort.signal,
        });
        await answer.body?.getReader().read();
        return abort;
      }),
    );
    await waitFor(async () => (await openFiles()).length === 3);
    for (const each of downloads) each.abort();
    await waitFor(async () => (await openFiles()).length === 0);
  },
);

async function pidOfService(): Promise<string> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.includes(`UPLOAD_DIR=${homework.service.directory}/`)) return pid;
  }
  throw new Error('the process of the service was not found');
}

test('simultaneous downloads return the same bytes', async () => {
  const { id, student }: { id: number; student: Student } = await submitFiles([
    ['a.pdf', homework.pdf],
    ['b.pdf', homework.pdf],
  ]);
  const bodies = await Promise.all(
    Array.from({ length: 8 }, async () => (await download(id, student.token)).body),
  );
  for (const body of bodies) expect(body.equals(bodies[0])).toBe(true);
});
