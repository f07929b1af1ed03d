import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pdf } from '@gradeway/test/httpClient';
import { expect, test } from 'vitest';
import {
  asAdmin,
  callAs,
  enroll,
  newCourse,
  newScene,
  newStudent,
  submitHomework,
  submitQuiz,
} from './fixtures.ts';

const pathOf = (courseId: number) => `/api/v3/admin/courses/${courseId}/submissions.zip`;

/** The names and SHA-256 of the files in an archive, and its manifest, as read by Python. */
async function unpack(archive: Buffer): Promise<{ sums: Record<string, string>; rows: Row[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-archive-'));
  const path = join(directory, 'archive.zip');
  const program = `
import csv, hashlib, io, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    names = archive.namelist()
    assert names.pop() == 'manifest.csv'
    manifest = io.StringIO(archive.read('manifest.csv').decode('utf-8'), newline='')
    print(json.dumps({'sums': {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names},
                      'rows': list(csv.DictReader(manifest))}))`;
  try {
    await writeFile(path, archive);
    const { stdout } = await promisify(execFile)('python3', ['-c', program, path]);
    return JSON.parse(stdout);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Row = Record<string, string>;

test('an administrator downloads all submissions of a course, with a manifest', async () => {
  const scene = await newScene();
  const other = await newStudent({ first_name: 'Grace', last_name: 'Hopper' });
  await enroll(scene.courseId, other);
  const [essay, notes, sheet] = [
    await pdf('essay.pdf'),
    await pdf('essay.pdf', { bytes: 300_000 }),
    await pdf(),
  ];
  const handedIn = await submitHomework(scene, [essay, notes]);
  await submitQuiz({ ...scene, student: other }, { file: sheet });
  const admin = await asAdmin();
  await admin.post(`/api/v3/admin/homeworks/grade/${handedIn.body.data.id}`, { rating: 9 });

  const { status, headers, body } = await admin.get(pathOf(scene.courseId));
  expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
  const { sums, rows } = await unpack(body);
  const sumOf = async (file: File) =>
    createHash('sha256')
      .update(Buffer.from(await file.arrayBuffer()))
      .digest('hex');
  expect(Object.values(sums)).toEqual(await Promise.all([essay, notes, sheet].map(sumOf)));
  expect(rows.map(({ file, sha256 }) => [file, sha256])).toEqual(Object.entries(sums));
  expect(rows.map(({ status: state }) => state)).toEqual(['found', 'found', 'found']);
  const { id, lastName, email } = scene.student;
  expect(rows[0]).toMatchObject({
    file: expect.stringMatching(/^homework\/.+\(\d+\)\/Ada .+ - essay\.pdf$/),
    ...{ student_id: String(id), student_name: `Ada ${lastName}`, student_email: email },
    ...{ kind: 'homework', item_id: String(scene.classId), grade: '9', total_grade: '10' },
  });
  expect(rows[1]?.file).toMatch(/ - essay \(2\)\.pdf$/);
  expect(rows[2]).toMatchObject({
    file: expect.stringMatching(/^quiz\/.+\/Grace Hopper \(\d+\) - answers\.pdf$/),
    ...{ kind: 'quiz', item_id: String(scene.quizId), grade: '', total_grade: '' },
  });
});

test('other roles cannot download the archive, and an unknown course is 404', async () => {
  const courseId = await newCourse();
  const refused = (message: string) => ({ message, errors: null });
  const student = await newStudent();
  const asStudent = await student.get(pathOf(courseId));
  expect([asStudent.status, asStudent.body]).toEqual([403, refused('Unauthorized Access')]);
  const asNobody = await callAs().get(pathOf(courseId));
  expect([asNobody.status, asNobody.body]).toEqual([401, refused('UnauthorizedRequest')]);
  const admin = await asAdmin();
  const unknown = await admin.get(pathOf(2_147_483_647));
  expect([unknown.status, unknown.body]).toEqual([404, refused('Not Found')]);
  expect(await unpack((await admin.get(pathOf(courseId))).body)).toEqual({ sums: {}, rows: [] });
});
