import { readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { now, type Scene } from '@gradeway/test/fixtures';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { readArchive } from '@gradeway/test/readArchive';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runFault } from './faultRow.ts';
import { openSchool, type School } from './school.ts';
import { inspectLocalSystem } from './system.ts';

const on = 'embedded broker';

let system: LocalSystem;
let school: School;
beforeAll(async () => {
  system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0', LOGIN_LIMIT_PER_ADDRESS: '0' });
  school = await openSchool(inspectLocalSystem(system));
});
afterAll(() => system?.remove());

const unfinishedUploads = async () =>
  (await readdir(join(system.directory, 'files', 'arriving', 'quiz'))).length;

test('when clients disconnect in the middle of uploads under load, nothing acknowledged is lost and nothing is left behind', async () => {
  const scene = await school.fixtures.newScene();
  await runFault(school, {
    on,
    name: '30 clients gone in the middle of an upload',
    make: async () => {
      for (let each = 0; each < 30; each += 1) await abandonUpload(scene);
    },
    afterwards: async () => void (await waitFor(async () => (await unfinishedUploads()) === 0)),
  });
  expect(await school.fixtures.quizSubmissions(scene.quizId)).toEqual([]);
});

/** Sends the first half of a 1 MB answer sheet and closes the connection. */
async function abandonUpload({ student, courseId, quizId }: Scene): Promise<void> {
  const bytes = 1_000_000;
  const boundary = 'abandoned';
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fields = { course_id: `${courseId}`, quiz_id: `${quizId}`, duration: '30', start_at: now() };
  const form = Object.entries(fields).map(([name, value]) => field(name, value));
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7`;
  const { port, host } = new URL(system.baseUrl);
  const head = [
    'POST /api/v3/quiz/submit-pdf HTTP/1.1',
    `host: ${host}`,
    `authorization: Bearer ${student.token}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    `content-length: ${bytes}`,
  ].join('\r\n');
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${head}\r\n\r\n${form.join('')}${file}${'x'.repeat(bytes / 2)}`);
  await sleep(100);
  socket.destroy();
}

test('nothing acknowledged is lost when clients disconnect in the middle of course archives under load', async () => {
  await runFault(school, {
    on,
    name: '15 clients gone in the middle of a ZIP',
    make: async () => {
      const { token } = await school.fixtures.asAdmin();
      const url = `${system.baseUrl}/api/v3/admin/courses/${school.courseId}/submissions.zip`;
      for (let each = 0; each < 15; each += 1) {
        const { body } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
        const reader = body?.getReader();
        await reader?.read();
        await reader?.cancel();
      }
    },
  });
});

test('a course archive omits a file whose bytes do not match its checksum and lists it as damaged', async () => {
  const scene = await school.fixtures.newScene();
  await school.fixtures.submitQuiz(scene);
  await school.fixtures.submitHomework(scene);
  const [file] = await school.system.query<{ key: string }>(
    'SELECT f.key FROM quiz.files f JOIN quiz.submissions s ON s.file_id = f.id WHERE s.quiz_id = $1',
    [scene.quizId],
  );
  const key = file?.key ?? '';
  await writeFile(join(system.directory, 'files', 'quiz', key.slice(0, 2), key), 'other bytes');
  await runFault(school, {
    on,
    name: 'a stored file with other bytes, in the archive',
    make: async () => {
      const admin = await school.fixtures.asAdmin();
      const { status, body } = await admin.get(`/api/v3/admin/courses/${scene.courseId}/submissions.zip`);
      expect(status).toBe(200);
      const files = await readArchive(body);
      expect(files.map(({ name }) => name.split('/')[0])).toEqual(['homework', 'manifest.csv']);
      const states = files
        .at(-1)
        ?.content.toString()
        .match(/(found|missing|damaged)\r\n/g);
      expect(states).toEqual(['found\r\n', 'damaged\r\n']);
    },
  });
});
