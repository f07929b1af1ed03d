import { readdir, readFile, readlink, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { makePdf } from '@gradeway/local/demoPdf';
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
const download = (id: number | string, token: string | null = homework.admin, init: RequestInit = {}) =>
  homework.call(pathOf(id), token, init);
const refusal = async (answer: Response) => ({ status: answer.status, body: await answer.json() });
const unauthorized = { status: 401, body: { message: 'UnauthorizedRequest', errors: null } };
const notFound = { status: 404, body: { message: 'PDF Homework not found', errors: null } };

async function handIn(files: [string, Blob][]) {
  const scene = await homework.setUp();
  const answer = await homework.submit(scene.classId, scene.student, filesForm(files));
  expect(answer.status).toBe(201);
  const { data } = (await answer.json()) as { data: { id: number; files: { id: number; name: string }[] } };
  return { ...scene, ...data };
}

const unzip = async (answer: Response) => readArchive(Buffer.from(await answer.arrayBuffer()));

/** Where the bytes of a stored file are. */
async function storedPath(fileId: number | undefined): Promise<string> {
  const [file] = await homework.rows<{ key: string }>('SELECT key FROM homework.files WHERE id = $1', fileId);
  const key = file?.key ?? '';
  return join(homework.service.directory, 'files', key.slice(0, 2), key);
}

test('all files of a submission come as one archive, as they were sent', async () => {
  const contents = await Promise.all(['One', 'Two'].map((title) => makePdf(title, { bytes: 3_000_000 })));
  const { id, student } = await handIn([
    ['one.pdf', new Blob([contents[0] as Buffer])],
    ['Übung zwei 宿題.pdf', new Blob([contents[1] as Buffer])],
  ]);
  const answer = await download(id, student.token);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="submission-${id}.zip"`);
  const body = await answer.clone().arrayBuffer();
  expect(Number(answer.headers.get('content-length'))).toBe(body.byteLength);
  expect(await unzip(answer)).toEqual([
    { name: 'one.pdf', content: contents[0], stored: true },
    { name: 'Übung zwei 宿題.pdf', content: contents[1], stored: true },
  ]);
});

test('names are safe and unique whatever they were', async () => {
  const names = [
    ...['a.pdf', 'a.pdf', 'A.PDF', '../../etc/passwd', 'C:\\Users\\me\\b.pdf', 'nul.pdf'],
    ...['gnp\u202E.pdf', 'What? Why: "x".pdf', '…', 'عمل.pdf'],
  ];
  const { id } = await handIn(names.map((name) => [name, homework.pdf]));
  const entries = await unzip(await download(id));
  expect(entries.map(({ name }) => name)).toEqual([
    ...['a.pdf', 'a (2).pdf', 'A (3).PDF', 'passwd', 'b.pdf', '_nul.pdf'],
    ...['gnp.pdf', 'What_ Why_ _x_.pdf', '…', 'عمل.pdf'],
  ]);
});

test('only the present files are in it, not those that were replaced or removed', async () => {
  const { id, classId, student } = await handIn([['old.pdf', homework.pdf]]);
  const { files } = await homework.submitted(classId, student, ['new.pdf', 'wrong.pdf']);
  await homework.call(`/api/v3/admin/homeworks/submissions/${id}/files/${files[1]?.id}`, homework.admin, {
    method: 'DELETE',
  });
  expect((await unzip(await download(id))).map(({ name }) => name)).toEqual(['new.pdf']);
});

test('HEAD tells the length and opens nothing', async () => {
  const { id } = await handIn([['a.pdf', homework.pdf]]);
  const whole = await (await download(id)).arrayBuffer();
  const answer = await download(id, homework.admin, { method: 'HEAD' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-length')).toBe(String(whole.byteLength));
});

describe('who may download', () => {
  test('an admin and the student who owns it, nobody else (D22)', async () => {
    const { id, courseId, student } = await handIn([['a.pdf', homework.pdf]]);
    const others: (string | null)[] = [null, 'nonsense', homework.enroll(courseId).token];
    for (const role of ['instructor', 'parent'] as const) others.push(homework.tokens.sign(student.id, role));
    for (const token of others) expect(await refusal(await download(id, token))).toEqual(unauthorized);
    for (const token of [homework.admin, student.token]) {
      const answer = await download(id, token);
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    }
  });

  test('a student is not told whether a submission exists', async () => {
    const { student } = homework.setUpClass();
    expect(await refusal(await download(999_999, student.token))).toEqual(unauthorized);
    expect(await refusal(await download(999_999))).toEqual(notFound);
  });

  test('without files there is nothing to download', async () => {
    const { id, files, student } = await handIn([['a.pdf', homework.pdf]]);
    await homework.call(`/api/v3/admin/homeworks/submissions/${id}/files/${files[0]?.id}`, homework.admin, {
      method: 'DELETE',
    });
    expect(await refusal(await download(id))).toEqual(notFound);
    expect(await refusal(await download(id, student.token))).toEqual(notFound);
  });

  test.each(['abc', '0', '2147483648'])('%s can be no id: the standard 404', async (id) => {
    expect(await refusal(await download(id))).toEqual({
      status: 404,
      body: { message: 'Not Found', errors: null },
    });
  });
});

describe('a store that fails', () => {
  const threeFiles = async () => {
    const large = new Blob([await makePdf('Scan', { bytes: 2_000_000 })]);
    return handIn(['a.pdf', 'b.pdf', 'c.pdf'].map((name) => [name, large]));
  };

  test('midway breaks the connection: a short archive never looks complete', async () => {
    const { id, files } = await threeFiles();
    await rm(await storedPath(files[1]?.id));
    await expect(download(id).then((answer) => answer.arrayBuffer())).rejects.toThrow();
  });

  test('by giving less than it should breaks the connection as well', async () => {
    const { id, files } = await threeFiles();
    await truncate(await storedPath(files[2]?.id), 1_000);
    await expect(download(id).then((answer) => answer.arrayBuffer())).rejects.toThrow();
  });

  test('before the first byte is an error with a status', async () => {
    const { id, files } = await threeFiles();
    await rm(await storedPath(files[0]?.id));
    const answer = await download(id);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await refusal(answer)).toEqual({ status: 500, body: { message: 'Server Error', errors: null } });
    expect(homework.service.log()).toContain('"msg":"request failed"');
  });

  test('leaves the service as it was', async () => {
    const { id } = await handIn([['a.pdf', homework.pdf]]);
    expect(await unzip(await download(id))).toHaveLength(1);
  });
});

test.runIf(process.platform === 'linux')(
  'a reader that goes away stops the work and closes the files',
  async () => {
    const large = new Blob([await makePdf('Scan', { bytes: 12_000_000 })]);
    const { id } = await handIn(['a.pdf', 'b.pdf'].map((name) => [name, large]));
    const pid = await pidOfService();
    const openFiles = async () => {
      const names = await readdir(`/proc/${pid}/fd`);
      const targets = await Promise.all(
        names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
      );
      return targets.filter((target) => target.startsWith(join(homework.service.directory, 'files')));
    };
    const readers = await Promise.all(
      [1, 2, 3].map(async () => {
        const abort = new AbortController();
        const answer = await download(id, homework.admin, { signal: abort.signal });
        await answer.body?.getReader().read();
        return abort;
      }),
    );
    await waitFor(async () => (await openFiles()).length === 3);
    for (const reader of readers) reader.abort();
    await waitFor(async () => (await openFiles()).length === 0);
  },
);

async function pidOfService(): Promise<string> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.includes(`UPLOAD_DIR=${homework.service.directory}/`)) return pid;
  }
  throw new Error('no process of the service');
}

test('downloads at the same time do not disturb each other', async () => {
  const { id, student }: { id: number; student: Student } = await handIn([
    ['a.pdf', homework.pdf],
    ['b.pdf', homework.pdf],
  ]);
  const bodies = await Promise.all(
    Array.from({ length: 8 }, async () =>
      Buffer.from(await (await download(id, student.token)).arrayBuffer()),
    ),
  );
  for (const body of bodies) expect(body.equals(bodies[0] as Buffer)).toBe(true);
});
