import { createHash, randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { scrape } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';
import { waitUntilStill } from '@gradeway/test/waitUntilStill';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';
import {
  type FakeFile,
  type FakeSubmissionServices,
  startFakeSubmissionServices,
} from './fakeSubmissionServices.ts';
import { readCourseArchive } from './readCourseArchive.ts';

const megabyte = 1024 * 1024;

let services: FakeSubmissionServices;
let courses: CoursesService;
let courseId: number;
beforeAll(async () => {
  services = await startFakeSubmissionServices();
  courses = await startCoursesService(services.env);
  courseId = await courses.createCourse();
});
afterEach(() => {
  services.files.homework = async function* () {};
  services.files.quiz = async function* () {};
});
afterAll(async () => {
  await courses.close();
  await services.close();
});

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const pathOf = (id: number | string) => `/api/v3/admin/courses/${id}/submissions.zip`;
const download = (id: number | string = courseId) => courses.get<Buffer>(pathOf(id));
const archive = async () => readCourseArchive((await download()).body);
const yields = (...files: FakeFile[]) =>
  async function* () {
    yield* files;
  };

/** Opens a download that does not read until the caller does. */
const openPaused = () =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${courses.admin}` };
    get(courses.service.url + pathOf(courseId), { headers, agent: false }, resolve).once('error', reject);
  });

async function residentMemory(): Promise<number> {
  return (await scrape(courses.service.adminUrl)).value('process_resident_memory_bytes') ?? 0;
}

describe('the archive of a course', () => {
  test('the archive contains all files of homework and quizzes and a manifest with their students', async () => {
    const [essay, sheet] = [randomBytes(700_000), randomBytes(10)];
    services.files.homework = yields({
      itemId: 12,
      itemTitle: 'Fractions',
      submissionId: 3,
      name: 'essay.pdf',
      content: essay,
      grade: 8,
      totalGrade: 10,
    });
    services.files.quiz = yields({ itemId: 4, itemTitle: 'Quiz', submissionId: 3, content: sheet });
    const answer = await download();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="course-${courseId}-submissions.zip"`,
    );
    const { files, manifest, csv } = await readCourseArchive(answer.body);
    expect(files).toEqual([
      { path: 'homework/Fractions (12)/Ada Lovelace (7) - essay.pdf', content: essay },
      { path: 'quiz/Quiz (4)/Ada Lovelace (7) - a.pdf', content: sheet },
    ]);
    const student = { student_id: '7', student_name: 'Ada Lovelace', student_email: 'ada@school.example' };
    const common = { ...student, submitted_at: '2026-03-01 10:00:00', status: 'found' };
    expect(manifest).toEqual([
      {
        file: files[0]?.path,
        kind: 'homework',
        item_id: '12',
        title: 'Fractions',
        ...common,
        sha256: sha256(essay),
        grade: '8',
        total_grade: '10',
      },
      {
        file: files[1]?.path,
        kind: 'quiz',
        item_id: '4',
        title: 'Quiz',
        ...common,
        sha256: sha256(sheet),
        grade: '',
        total_grade: '',
      },
    ]);
    expect(csv.split('\r\n')[0]).toBe(
      'file,student_id,student_name,student_email,kind,item_id,title,sha256,submitted_at,grade,total_grade,status',
    );
  });

  test('the archive has annotated copies beside the files if requested, and the manifest says which are missing', async () => {
    const asked: boolean[] = [];
    services.files.homework = async function* (_, __, annotated) {
      asked.push(annotated);
      yield { submissionId: 3, name: 'essay.pdf', annotated: true };
      yield { submissionId: 3, name: 'essay (annotated).pdf', isCopy: true, content: Buffer.from('marked') };
      yield { submissionId: 3, name: 'essay.pdf', annotated: true };
      yield { submissionId: 3, name: 'essay (annotated).pdf', isCopy: true };
      yield { submissionId: 3, name: 'locked.pdf', annotated: false };
    };
    const { body } = await courses.get<Buffer>(`${pathOf(courseId)}?annotated=1`);
    const { files, manifest } = await readCourseArchive(body);
    const folder = 'homework/Title (1)/Ada Lovelace (7) - ';
    expect(files.map(({ path }) => path)).toEqual(
      ['essay.pdf', 'essay (annotated).pdf', 'essay (2).pdf', 'essay (2) (annotated).pdf', 'locked.pdf'].map(
        (name) => folder + name,
      ),
    );
    expect(files[1]?.content.toString()).toBe('marked');
    expect(manifest.map(({ file, annotated }) => [file, annotated])).toEqual([
      [`${folder}essay.pdf`, 'true'],
      [`${folder}essay (2).pdf`, 'true'],
      [`${folder}locked.pdf`, 'false'],
    ]);
    expect(asked).toEqual([true]);
    expect((await courses.get(`${pathOf(courseId)}?annotated=maybe`)).status).toBe(422);
  });

  test('an archive without submissions contains only the manifest', async () => {
    expect(await archive()).toMatchObject({ files: [], manifest: [] });
  });

  test('the manifest marks files that the store has lost', async () => {
    services.files.homework = yields(
      { submissionId: 1, name: 'lost.pdf', missing: true },
      { submissionId: 2, studentId: 8, name: 'kept.pdf' },
    );
    const { files, manifest } = await archive();
    expect(files.map(({ path }) => path)).toEqual(['homework/Title (1)/Ada Lovelace (8) - kept.pdf']);
    expect(manifest.map(({ file, status }) => [file, status])).toEqual([
      ['homework/Title (1)/Ada Lovelace (7) - lost.pdf', 'missing'],
      ['homework/Title (1)/Ada Lovelace (8) - kept.pdf', 'found'],
    ]);
  });

  test('the manifest marks files whose bytes are damaged, and the archive continues without them', async () => {
    services.files.quiz = yields(
      { submissionId: 1, name: 'damaged.pdf', missing: true, damaged: true },
      { submissionId: 2, studentId: 8, name: 'kept.pdf' },
    );
    const { files, manifest } = await archive();
    expect(files.map(({ path }) => path)).toEqual(['quiz/Title (1)/Ada Lovelace (8) - kept.pdf']);
    expect(manifest.map(({ status }) => status)).toEqual(['damaged', 'found']);
  });

  // One chunk, and several.
  test.each([20, 200_000, megabyte])(
    'a file of %i bytes that differs from its SHA-256 is also marked as damaged',
    async (size) => {
      services.files.quiz = yields(
        { submissionId: 1, content: randomBytes(size), wrong: { sha256: sha256(Buffer.from('another')) } },
        { submissionId: 2, studentId: 8, content: randomBytes(size) },
      );
      const { files, manifest } = await archive();
      expect(files.map(({ path, content }) => [path, content.length])).toEqual([
        ['quiz/Title (1)/Ada Lovelace (8) - a.pdf', size],
      ]);
      expect(manifest.map(({ status }) => status)).toEqual(['damaged', 'found']);
      expect(manifest[0]?.sha256).toBe(sha256(Buffer.from('another')));
    },
  );

  test('file names are unique and valid on every system', async () => {
    services.files.homework = yields(
      { itemTitle: '../../etc: "x"', studentName: 'A/B\\C', name: 'a.pdf' },
      { itemTitle: '../../etc: "x"', studentName: 'A/B\\C', name: 'A.PDF' },
      { itemTitle: 'CON', studentName: '', submissionId: 2, studentId: 8, name: '..\\..\\nul.pdf' },
      { itemId: 2, itemTitle: '題'.repeat(90), studentName: '名'.repeat(200), submissionId: 3 },
    );
    const { files, manifest } = await archive();
    const paths = files.map(({ path }) => path);
    expect(paths.slice(0, 3)).toEqual([
      'homework/_.._etc_ _x_ (1)/A_B_C (7) - a.pdf',
      'homework/_.._etc_ _x_ (1)/A_B_C (7) - A (2).PDF',
      'homework/_CON (1)/Deleted user (8) - _nul.pdf',
    ]);
    for (const segment of paths[3]?.split('/') ?? [])
      expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(160);
    expect(paths[3]).toMatch(/^homework\/題+ \(2\)\/名+ \(7\) - a\.pdf$/);
    expect(manifest.map(({ file }) => file)).toEqual(paths);
  });

  test('formulas in the manifest are escaped', async () => {
    services.files.quiz = yields({ studentName: '=cmd()', itemTitle: '@SUM(A1)', studentEmail: '+1@x' });
    const { manifest } = await archive();
    expect(manifest[0]).toMatchObject({
      student_name: "'=cmd()",
      title: "'@SUM(A1)",
      student_email: "'+1@x",
    });
  });

  test('a HEAD request for the archive calls no service', async () => {
    services.files.homework = () => {
      throw new Error('called');
    };
    const { status, headers } = await courses.request('HEAD', pathOf(courseId));
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
  });
});

describe('access', () => {
  test('the archive is for administrators only', async () => {
    const refused = (status: number, message: string) => ({ status, body: { message, errors: null } });
    for (const role of ['user', 'instructor', 'parent'] as const)
      expect(await courses.get(pathOf(courseId), courses.tokens.sign(5, role))).toMatchObject(
        refused(403, 'Unauthorized Access'),
      );
    expect(await courses.get(pathOf(courseId), '')).toMatchObject(refused(401, 'UnauthorizedRequest'));
  });

  test('the archive of a course that does not exist is 404', async () => {
    const deleted = await courses.createCourse();
    await courses.request('DELETE', `/api/v3/admin/courses/${deleted}`);
    for (const id of [deleted, 999_999, 'abc', '2147483648'])
      expect(await courses.get(pathOf(id))).toMatchObject({
        status: 404,
        body: { message: 'Not Found', errors: null },
      });
  });
});

describe('failures', () => {
  test("a failure midway aborts the archive's download, so that a truncated one never looks complete", async () => {
    services.files.homework = async function* () {
      yield { content: randomBytes(megabyte) };
      throw new Error('the store is on fire');
    };
    await expect(download()).rejects.toThrow();
    await waitFor(() => courses.service.log().includes('"msg":"request failed"'));
    await waitFor(() => services.activeCalls() === 0);
  });

  test.each([
    ['does not match its checksum', { sha256: sha256(Buffer.from('something else')) }],
    ['is shorter than its record', { size: 3 * megabyte }],
    ['is longer than its record', { size: 1_000 }],
  ])('a large file that %s aborts the download of the archive and is logged', async (fault, wrong) => {
    services.files.quiz = yields({ content: randomBytes(2 * megabyte), wrong }, { submissionId: 2 });
    await expect(download()).rejects.toThrow();
    await waitFor(() => courses.service.log().includes(`a file of submission 1 ${fault}`));
    await waitFor(() => services.activeCalls() === 0);
  });

  test('an annotated copy that does not match its checksum aborts the download, however small it is', async () => {
    services.files.quiz = yields(
      { submissionId: 41, annotated: true },
      { submissionId: 41, isCopy: true, wrong: { sha256: sha256(Buffer.from('something else')) } },
    );
    await expect(courses.get(`${pathOf(courseId)}?annotated=1`)).rejects.toThrow();
    await waitFor(() =>
      courses.service.log().includes('a file of submission 41 does not match its checksum'),
    );
  });

  test('the next archive is complete after a failure', async () => {
    services.files.quiz = yields({});
    expect((await archive()).files).toHaveLength(1);
  });
});

describe('memory', () => {
  test('an archive of 200 MB for a slow client takes constant memory, without reading ahead', async () => {
    const content = randomBytes(5 * megabyte);
    const peakMemory = async (files: number) => {
      services.files.homework = async function* () {
        for (let id = 1; id <= files; id += 1) yield { submissionId: id, studentId: id, content };
      };
      const sentBefore = services.sentBytes();
      const answer = await openPaused();
      // Data in transit: a few messages, and the buffers of the sockets.
      expect(await waitUntilStill(() => services.sentBytes() - sentBefore)).toBeLessThan(20 * megabyte);
      let [received, asked, most] = [0, 0, await residentMemory()];
      for await (const chunk of answer) {
        received += chunk.length;
        if (received - asked < 10 * megabyte) continue;
        asked = received;
        most = Math.max(most, await residentMemory());
      }
      expect(received).toBeGreaterThan(files * content.length);
      return most;
    };
    // The first run also shows how far the heap grows before Node collects garbage.
    const few = await peakMemory(10);
    expect((await peakMemory(40)) - few).toBeLessThan(50 * megabyte);
  });

  test('many small files are not buffered for a client that pauses', async () => {
    services.files.homework = async function* () {
      for (let id = 1; id <= 1_500; id += 1)
        yield { submissionId: id, studentId: id, content: Buffer.alloc(20_000, id % 251) };
    };
    const sentBefore = services.sentBytes();
    const answer = await openPaused();
    expect(await waitUntilStill(() => services.sentBytes() - sentBefore)).toBeLessThan(20 * megabyte);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const { files, manifest } = await readCourseArchive(Buffer.concat(chunks));
    expect(files).toHaveLength(1_500);
    expect(new Set(manifest.map(({ file }) => file)).size).toBe(1_500);
  });

  test('a client that disconnects from the archive cancels all calls', async () => {
    const content = randomBytes(megabyte);
    const endless = async function* () {
      for (let id = 1; ; id += 1) yield { submissionId: id, content };
    };
    services.files.homework = endless;
    services.files.quiz = endless;
    const answer = await openPaused();
    await waitFor(() => services.activeCalls() === 2);
    answer.destroy();
    await waitFor(() => services.activeCalls() === 0);
    expect(courses.service.log()).not.toContain('AbortError');
  });
});

test('the archive is 503 before the first byte if a service is unreachable, and the call to the other one is cancelled', async () => {
  const fakes = await startFakeSubmissionServices();
  const service = await startCoursesService(fakes.env);
  try {
    const id = await service.createCourse();
    await fakes.stop('quiz');
    const answer = await service.get(pathOf(id));
    expect(answer).toMatchObject({ status: 503, body: { message: 'Service Unavailable', errors: null } });
    expect(answer.headers.get('retry-after')).toBeTruthy();
    await waitFor(() => fakes.activeCalls() === 0);
  } finally {
    await service.close();
    await fakes.close();
  }
});
