import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installClient } from '@gradeway/test/client/installClient';
import { runCommand, useHome } from '@gradeway/test/client/runCommand';
import { unique } from '@gradeway/test/fixtures';
import { describe, expect, inject, test } from 'vitest';
import {
  asAdmin,
  assignInstructor,
  callAs,
  newCourse,
  newQuiz,
  newScene,
  newStudent,
  submitHomework,
  submitQuiz,
} from '../fixtures.ts';
import { confirmPassword } from '../roleScene.ts';

const { baseUrl } = inject('system');
const { command } = await installClient();
const home = useHome();

const run = (token: string | undefined, ...parameters: string[]) =>
  runCommand(command, parameters, {
    home: home(),
    env: { GRADEWAY_URL: baseUrl, GRADEWAY_TOKEN: token ?? '' },
  });

const keepFile = (name: string, text: string) => writeFile(join(home(), name), text);

/** A token for programs with these scopes, as an administrator issues it. */
async function newServiceToken(...scopes: string[]): Promise<string> {
  const account = { name: `System ${unique()}`, scopes };
  return (await (await asAdmin()).post('/api/v3/admin/service-accounts', account)).body.data.token;
}

/** A scene whose quiz has a total grade, without which a file cannot grade it. */
async function newScoredScene() {
  const scene = await newScene();
  return { ...scene, quizId: await newQuiz(scene.courseId, { total_grade_for_quiz_pdf: '10' }) };
}

describe('grades import', () => {
  test.each(['--quiz', '--homework'] as const)(
    '%s grades what the dry run announced, and nothing before',
    async (option) => {
      const scene = await newScoredScene();
      const isQuiz = option === '--quiz';
      await (isQuiz ? submitQuiz(scene) : submitHomework(scene));
      const teacher = await newStudent({ role: 'instructor' });
      await assignInstructor(scene.courseId, teacher);
      await keepFile('grades.csv', `email,grade\n${scene.student.email},7\n`);
      const item = [option, String(isQuiz ? scene.quizId : scene.classId)];
      const importGrades = (...more: string[]) =>
        run(teacher.token, 'grades', 'import', 'grades.csv', ...item, ...more);
      expect(await importGrades('--dry-run')).toEqual({
        code: 0,
        stdout: '1 change, 0 unchanged. Nothing was changed: this was a dry run.\n',
        stderr: '',
      });
      expect(await importGrades()).toEqual({ code: 0, stdout: '1 change, 0 unchanged.\n', stderr: '' });
      expect((await importGrades()).stdout).toBe('0 changes, 1 unchanged.\n');
      const listed = await run(teacher.token, 'submissions', 'list', ...item, '--json');
      expect(JSON.parse(listed.stdout)).toMatchObject([{ status: 'graded', grade: 7 }]);
    },
  );

  test('a service account needs the scope grades:write', async () => {
    const scene = await newScoredScene();
    await submitQuiz(scene);
    await keepFile('grades.csv', `student_id,grade\n${scene.student.id},7\n`);
    const parameters = ['grades', 'import', 'grades.csv', '--quiz', String(scene.quizId)];
    const refused = await run(await newServiceToken('grades:read'), ...parameters);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('This token lacks the scope grades:write.\nUse a token that has the scope'),
    ]);
    const applied = await run(await newServiceToken('grades:write'), ...parameters);
    expect(applied).toEqual({ code: 0, stdout: '1 change, 0 unchanged.\n', stderr: '' });
  });

  test('errors are printed by line, and nothing is graded', async () => {
    const scene = await newScoredScene();
    await submitQuiz(scene);
    await keepFile('grades.csv', `email,grade\n${scene.student.email},7\n${unique()}@test.example,7\n`);
    const parameters = ['grades', 'import', 'grades.csv', '--quiz', String(scene.quizId)];
    const { code, stdout, stderr } = await run((await asAdmin()).token, ...parameters);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^gradeway: grades\.csv:3: .+\ngradeway: Nothing was changed\.\n$/),
    ]);
    const json = await run((await asAdmin()).token, ...parameters, '--json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { errors: [{ line: 3 }], token: null }]);
    const listed = await run(
      (await asAdmin()).token,
      'submissions',
      'list',
      ...parameters.slice(3),
      '--json',
    );
    expect(JSON.parse(listed.stdout)).toMatchObject([{ status: 'ungraded' }]);
  });
});

describe('roster import', () => {
  test('a service account enrolls the people of a CSV file, and creates their accounts', async () => {
    const [course, existing] = [await newCourse(), await newStudent()];
    const added = `${unique()}@test.example`;
    await keepFile('students.csv', `name;email\nAda Lovelace;${existing.email}\nAlan Turing;${added}\n`);
    const token = await newServiceToken('import');
    const importRoster = (...more: string[]) =>
      run(token, 'roster', 'import', 'students.csv', '--course', String(course), ...more);
    const dryRun = await importRoster('--dry-run');
    expect([dryRun.code, dryRun.stderr]).toEqual([0, '']);
    expect(dryRun.stdout).toMatch(/^2 enrolled, 1 account created, 0 unchanged\. Nothing was changed/);
    expect((await importRoster()).stdout).toBe('2 enrolled, 1 account created, 0 unchanged.\n');
    expect((await importRoster()).stdout).toBe('0 enrolled, 0 accounts created, 2 unchanged.\n');
    const courses = await run(existing.token, 'courses', '--json');
    expect(JSON.parse(courses.stdout)).toMatchObject([{ id: course }]);
  });

  test('a CSV file needs a course', async () => {
    await keepFile('students.csv', 'name,email\n');
    const { code, stderr } = await run('token', 'roster', 'import', 'students.csv');
    expect([code, stderr]).toEqual([2, 'gradeway: Which course? Pass --course ID.\n']);
  });
});

describe('tokens', () => {
  test('a token is created, works within its scopes, is listed and ended', async () => {
    const student = await newStudent();
    await confirmPassword(student);
    const scopes = ['--scopes', 'courses:read', 'grades:read'];
    const created = await run(student.token, 'tokens', 'create', '--name', 'Grade export', ...scopes);
    expect([created.code, created.stderr]).toEqual([0, '']);
    const token = created.stdout.trim();
    expect(await run(token, 'courses')).toEqual({ code: 0, stdout: 'ID  TITLE\n', stderr: '' });
    const [listed] = JSON.parse((await run(student.token, 'tokens', '--json')).stdout);
    expect(listed).toMatchObject({ name: 'Grade export', scopes: ['courses:read', 'grades:read'] });
    const { stdout } = await run(student.token, 'tokens', 'list');
    expect(stdout.split('\n')[1]?.split(/ {2,}/).slice(0, 4)).toEqual([
      String(listed.id),
      'Grade export',
      'courses:read grades:read',
      listed.expires_at,
    ]);
    const deleted = await run(student.token, 'tokens', 'delete', String(listed.id));
    expect(deleted).toEqual({ code: 0, stdout: 'The token is ended.\n', stderr: '' });
    await expect.poll(async () => (await callAs(token).get('/api/v3/courses')).status).toBe(401);
  });

  test('a scope that does not exist is named', async () => {
    const student = await newStudent();
    await confirmPassword(student);
    const { code, stderr } = await run(
      student.token,
      'tokens',
      'create',
      '--name',
      'x',
      '--scopes',
      'grades',
    );
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^gradeway: .+\n {2}scopes\S*: /)]);
  });

  test('a token cannot manage tokens, and the command says what can', async () => {
    const { code, stderr } = await run(await newServiceToken('courses:read'), 'tokens', 'list');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /This operation needs a session\.\n.*the access_token that POST \/api\/v3\/login/,
      ),
    ]);
  });
});
