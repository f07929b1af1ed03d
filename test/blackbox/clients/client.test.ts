import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { childEnvironment } from '@gradeway/test/childEnvironment';
import { startClientHost } from '@gradeway/test/client/clientHost';
import { expectJourney } from '@gradeway/test/client/expectJourney';
import { installClient, nodePrograms, packagesIn } from '@gradeway/test/client/installClient';
import { journeyScene } from '@gradeway/test/client/journeyScene';
import { pdf } from '@gradeway/test/httpClient';
import { describe, expect, inject, test } from 'vitest';
import * as fixtures from '../fixtures.ts';

const run = promisify(execFile);
const system = inject('system');
const journey = fileURLToPath(new URL('../../support/client/journey.js', import.meta.url));
const admin = { email: system.adminEmail, password: system.adminPassword };

const client = await installClient();
const answers = join(client.folder, 'answers.pdf');
await writeFile(answers, new Uint8Array(await (await pdf()).arrayBuffer()));

/** Runs a module beside the installed client, with this value as `input`. Returns what it prints as JSON. */
async function runModule(node: string, name: string, source: string, input: object) {
  const path = join(client.folder, `${name}.js`);
  await writeFile(
    path,
    `import * as gradeway from '@gradeway/client';\nconst input = JSON.parse(process.argv[2]);\n${source}`,
  );
  const { stdout, stderr } = await run(node, [path, JSON.stringify(input)], { cwd: client.folder });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('the packed file has the library, the command, the README and the licence, and no dependency', async () => {
  const folders = new Set(client.packedFiles.map((path) => path.replace(/[^/]+$/, '')));
  expect([...folders].toSorted()).toEqual([
    '',
    'dist/',
    'dist/body/',
    'dist/cli/',
    'dist/generated/',
    'dist/http/',
  ]);
  const others = client.packedFiles.filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path));
  expect(others).toEqual(['LICENSE', 'README.md', 'package.json']);
  expect(client.packedFiles.filter((path) => path.startsWith('dist/cli/'))).toEqual(['dist/cli/gradeway.js']);
  expect(await packagesIn(client.folder)).toEqual(['node_modules/@gradeway/client']);
});

test('the program in the README does what it says', async () => {
  const readme = await readFile(join(client.folder, 'node_modules/@gradeway/client/README.md'), 'utf8');
  const [, program = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
  await writeFile(join(client.folder, 'courses.js'), program);
  const { courseId, student } = await fixtures.newScene();
  const instructor = await fixtures.newStudent({ role: 'instructor' });
  await fixtures.assignInstructor(courseId, instructor);
  const runAs = async (token = '') =>
    run(process.execPath, ['courses.js'], {
      cwd: client.folder,
      env: { ...childEnvironment, GRADEWAY_URL: system.baseUrl, GRADEWAY_TOKEN: token },
    });
  const { stdout } = await runAs(instructor.token);
  expect(stdout.split('\n')).toEqual([
    `I am Ada ${instructor.lastName} (instructor).`,
    expect.stringMatching(`^${courseId} Course `),
    expect.stringMatching(/^404 \w+ \{\} [0-9a-f-]{36}$/),
    '',
  ]);
  await expect(runAs(student.token)).rejects.toThrow('Unauthorized Access');
});

test('the types accept correct calls and refuse wrong ones', async () => {
  await writeFile(
    join(client.folder, 'calls.ts'),
    `import { createClient, type RowOf } from '@gradeway/client';
const client = createClient({ baseUrl: 'https://school.example', token: async () => 'token' });
const email: string | null = (await client.readMe()).data.email;
for await (const { id } of client.iterate.listCourses({ per_page: 50 })) id satisfies number;
const row: RowOf<'listHomeworks'> | undefined = undefined;
const zip: ReadableStream<Uint8Array> = await client.downloadSubmission({ submission_id: 1 });
await client.submitAnswerSheet({ body: { course_id: 1, quiz_id: 2, duration: 30, start_at: '2026-12-01T08:00:00', file: { path: 'a.pdf' } } });
const nothing: undefined = await client.deleteClass({ class_id: 1 });
// @ts-expect-error a course has an id
await client.readCourse({});
// @ts-expect-error no such operation
await client.readCours({ course_id: 1 });
// @ts-expect-error a file is not a string
await client.submitHomework({ class_id: 1, body: { files: ['a.pdf'] } });
// @ts-expect-error no list
client.iterate.readMe();
export { email, row, zip, nothing };
`,
  );
  const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--lib',
    'es2023,dom,dom.asynciterable',
  ];
  const { stdout } = await run(process.execPath, [tsc, ...options, 'calls.ts'], { cwd: client.folder }).catch(
    (error) => error as { stdout: string },
  );
  expect(stdout).toBe('');
});

describe.each(nodePrograms)('with %s', (node) => {
  test('an integrator logs in, lists, uploads over a broken connection, grades and gets errors', async () => {
    const scene = await journeyScene(fixtures);
    const host = await startClientHost(system.baseUrl);
    const input = {
      host: host.url,
      admin,
      student: scene.student,
      scene: scene.scene,
      file: { path: answers, type: 'application/pdf' },
    };
    const source = `import { journey } from ${JSON.stringify(journey)};
console.log(JSON.stringify(await journey(gradeway, input)));`;
    expectJourney(await runModule(node, 'journey', source, input), scene, host, admin.email);
    expect(await fixtures.quizSubmissions(scene.scene.quiz_id)).toHaveLength(1);
  });

  test('a stream that can be opened again is uploaded again, and any other stream is not', async () => {
    const [again, once] = [await fixtures.newScene(), await fixtures.newScene()];
    const host = await startClientHost(system.baseUrl);
    const source = `import { createReadStream } from 'node:fs';
const open = () => createReadStream(input.answers);
const upload = ({ token, classId }, stream) =>
  gradeway.createClient({ baseUrl: input.host + '/cutting', token }).submitHomework({
    class_id: classId,
    body: { files: [{ stream, name: 'a "quoted"\\r\\nname.pdf' }] },
  });
const again = await upload(input.again, open);
const once = await upload(input.once, open()).catch(({ status, code }) => ({ status, code }));
console.log(JSON.stringify({ files: again.data.files.map(({ name }) => name), once }));`;
    const given = ({ student, classId }: typeof again) => ({ token: student.token, classId });
    const input = { host: host.url, answers, again: given(again), once: given(once) };
    expect(await runModule(node, 'streams', source, input)).toEqual({
      files: [expect.stringContaining('name.pdf')],
      once: { status: 0, code: 'unreachable' },
    });
    const attempts = ({ classId }: typeof again) =>
      host.requests.filter(({ path }) => path === `/api/v3/homeworks/${classId}/submissions`).length;
    expect([attempts(again), attempts(once)]).toEqual([2, 1]);
  });

  test('an upload is read only as fast as it is sent', async () => {
    const host = await startClientHost(system.baseUrl);
    const source = `let read = 0;
async function* stream() {
  for (; read < 1_000; read += 1) yield new Uint8Array(1_000_000);
}
const client = gradeway.createClient({ baseUrl: input.host + '/silent', token: 'token' });
const body = { files: [{ stream: stream(), name: 'large.pdf' }] };
const { code } = await client.submitHomework({ class_id: 1, body, timeoutMs: 1_000 }).catch((error) => error);
console.log(JSON.stringify({ code, isBounded: read < 50 }));`;
    expect(await runModule(node, 'bounded', source, { host: host.url })).toEqual({
      code: 'timeout',
      isBounded: true,
    });
  });
});
