import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installClient } from '@gradeway/test/client/installClient';
import { runCommand, useHome } from '@gradeway/test/client/runCommand';
import { unique } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { describe, expect, inject, test } from 'vitest';
import { archiveOf, schoolOf } from '../../../services/courses/test/oneRosterArchive.ts';
import {
  asAdmin,
  newClass,
  newCourse,
  newScene,
  newStudent,
  submitHomework,
  submitQuiz,
} from '../fixtures.ts';

const { baseUrl } = inject('system');
const { command } = await installClient();
const token = (await asAdmin()).token ?? '';

const home = useHome();

/** Runs the command as the administrator. */
const run = (parameters: string[], env: Record<string, string> = {}) =>
  runCommand(command, parameters, {
    home: home(),
    env: { GRADEWAY_URL: baseUrl, GRADEWAY_TOKEN: token, ...env },
  });

/** Returns the JSON that a successful command prints. */
async function json(...parameters: string[]) {
  const { code, stdout, stderr } = await run([...parameters, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

describe('work', () => {
  test('a quiz is created as a draft, published, listed, copied and released', async () => {
    const [course, other] = [String(await newCourse()), String(await newCourse())];
    const file = join(home(), 'questions.pdf');
    await writeFile(file, new Uint8Array(await (await pdf()).arrayBuffer()));
    const settings = ['--duration', '45', '--file', file, '--closes-at', '2100-01-01T08:00:00Z'];
    const quiz = await json('work', 'create', '--course', course, '--title', 'First steps', ...settings);
    expect(quiz).toMatchObject({ title: 'First steps', published: false, duration_minutes: 45 });
    const item = ['--quiz', String(quiz.id)];
    expect(await json('work', 'publish', ...item)).toMatchObject({ published: true });
    expect(await json('work', 'list', '--course', course)).toMatchObject([
      {
        kind: 'quizzes',
        id: quiz.id,
        title: 'First steps',
        published: true,
        closes_at: '2100-01-01T08:00:00Z',
      },
    ]);
    const copy = await json('work', 'copy', ...item, '--course', other, '--title', 'Again');
    expect(await json('work', 'list', '--course', other, '--state', 'draft')).toMatchObject([
      { id: copy.id, title: 'Again', published: false },
    ]);
    expect((await run(['work', 'release', ...item])).stdout).toBe(
      `Grades released: First steps (${quiz.id})\n`,
    );
  });

  test('homework is created in a new class or in an existing one', async () => {
    const course = await newCourse();
    const existing = await newClass(course);
    const create = ['work', 'create', '--course', String(course), '--title', 'Groups', '--kind', 'homeworks'];
    const created = await json(...create, '--publish');
    const second = await json(...create, '--class', String(existing));
    expect(second.id).toBe(existing);
    const again = await run([...create, '--class', String(existing)]);
    expect(again).toMatchObject({ code: 1, stderr: `gradeway: Class ${existing} has homework already.\n` });
    const listed = await json('work', 'list', '--course', String(course), '--kind', 'homeworks');
    expect(listed.map(({ id }: { id: number }) => id).toSorted()).toEqual([existing, created.id].toSorted());
  });
});

describe('submissions', () => {
  test('they are listed, and their files are saved under names that stay in the folder', async () => {
    const scene = await newScene();
    const name = '../escape.pdf';
    expect((await submitQuiz(scene, { file: new File([await pdf()], name) })).status).toBe(200);
    const [submission] = await json('submissions', 'list', '--quiz', String(scene.quizId));
    expect(submission).toMatchObject({ student: { id: scene.student.id }, status: 'ungraded' });
    const saved = await json('submissions', 'download', '--quiz', String(scene.quizId), '-o', 'answers');
    const files = await readdir(join(home(), 'answers'));
    expect(files).toEqual([expect.stringMatching(new RegExp(`^${submission.id} Ada .*escape\\.pdf$`))]);
    expect(saved).toEqual(files.map((file) => `answers/${file}`));
    expect((await readFile(join(home(), saved[0]))).toString('latin1', 0, 5)).toBe('%PDF-');
  });

  test('a whole course is saved as an archive, complete or not at all', async () => {
    const scene = await newScene();
    await submitHomework(scene);
    const course = ['submissions', 'download', '--course', String(scene.courseId)];
    expect((await run([...course, '-o', 'course.zip'])).stdout).toBe('course.zip\n');
    expect((await readFile(join(home(), 'course.zip'))).toString('latin1', 0, 4)).toBe('PK\x03\x04');
    const unknown = await run(['submissions', 'download', '--course', '2147483647']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Not Found')]);
    expect(await readdir(home())).toEqual(['course.zip']);
  });
});

test('grades export prints the gradebook with a line for each student', async () => {
  const { courseId, student } = await newScene();
  const { code, stdout } = await run(['grades', 'export', '--course', String(courseId), '--delimiter', ';']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(student.email)]);
  expect(stdout.split('\n')[0]).toContain(';');
});

test('grades export --json prints every student, on any number of pages, or writes them to a file', async () => {
  const courseId = await newCourse();
  const students = Array.from({ length: 51 }, () => `Ada Lovelace,${unique()}@test.example`);
  await writeFile(join(home(), 'class.csv'), `name,email\n${students.join('\n')}\n`);
  await json('roster', 'import', 'class.csv', '--course', String(courseId));
  const parameters = ['grades', 'export', '--course', String(courseId)];
  // Enrolments reach the gradebook as events.
  await expect.poll(async () => (await json(...parameters)).data.students.length).toBe(51);
  expect(await json(...parameters, '-o', 'grid.json')).toEqual(['grid.json']);
  const written = JSON.parse(await readFile(join(home(), 'grid.json'), 'utf8'));
  expect(written).toEqual(await json(...parameters));
});

test('a command without a result prints JSON too', async () => {
  expect(await json('logout')).toEqual({});
});

test('roster import recognizes a OneRoster archive and applies its plan', async () => {
  const mark = unique();
  const file = join(home(), 'school.zip');
  await writeFile(file, await archiveOf(schoolOf(mark, 2)));
  const dryRun = await run(['roster', 'import', file, '--dry-run']);
  expect([dryRun.code, dryRun.stdout]).toEqual([
    0,
    expect.stringMatching(/^\d+ changes?\. Nothing was changed/),
  ]);
  expect((await run(['roster', 'import', file])).stdout).toMatch(/^[1-9]\d* changes?\.\n$/);
  expect((await run(['roster', 'import', file])).stdout).toBe('0 changes.\n');
});

test('courses lists the courses of a student', async () => {
  const { student, courseId } = await newScene();
  const { stdout } = await run(['courses', '--json'], { GRADEWAY_TOKEN: student.token ?? '' });
  expect(JSON.parse(stdout)).toMatchObject([{ id: courseId }]);
});

test('a title cannot control the terminal', async () => {
  const { token: studentToken = '' } = await newStudent();
  const course = await newCourse(`red \u001b[31m ${unique()}`);
  const { stdout } = await run(['courses']);
  expect(stdout).toContain(`${course} `);
  expect(stdout).not.toContain('\u001b');
  expect((await run(['courses'], { GRADEWAY_TOKEN: studentToken })).stdout).toBe('ID  TITLE\n');
});

describe('exit codes', () => {
  const help = expect.stringContaining('--help');
  test.each([
    [0, ['--help'], ''],
    [0, ['grades', 'import', '--help'], ''],
    [0, ['--version'], ''],
    [
      1,
      ['submissions', 'list', '--quiz', '2147483647'],
      expect.stringMatching(/^gradeway: Not Found\n.*\nRequest /),
    ],
    [2, [], expect.stringContaining('Usage: gradeway')],
    [2, ['curses'], help],
    [2, ['work', 'list'], help],
    [2, ['work', 'list', '--course', 'two'], help],
    [2, ['work', 'publish'], expect.stringContaining('--quiz ID')],
    [2, ['work', 'publish', '--quiz', '1', '--homework', '1'], help],
    [2, ['grades', 'import', 'missing.csv', '--quiz', '1'], expect.stringContaining('missing.csv')],
    [2, ['courses', '--url', 'nowhere'], expect.stringContaining('https://school.example')],
    [
      3,
      ['courses', '--url', 'http://127.0.0.1:9'],
      expect.stringContaining('http://127.0.0.1:9 is unreachable.'),
    ],
  ])('%i for %j', async (code, parameters, stderr) => {
    expect(await run(parameters)).toMatchObject({ code, stderr });
  });

  test('with --json an error is JSON too', async () => {
    const { stderr } = await run(['work', 'publish', '--quiz', '2147483647', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { status: 404, message: 'Not Found', fields: {}, request_id: expect.any(String) },
    });
  });
});
