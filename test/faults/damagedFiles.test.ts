import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pdf } from '@gradeway/test/httpClient';
import { expect, test } from 'vitest';
import { startCoursesService } from '../../services/courses/test/coursesService.ts';
import { startFakeSubmissionServices } from '../../services/courses/test/fakeSubmissionServices.ts';
import { readCourseArchive } from '../../services/courses/test/readCourseArchive.ts';
import { startQuizService } from '../../services/quiz/test/quizService.ts';

test('an archive omits every file whose bytes changed in the store, whatever its size, and its manifest says so', async () => {
  const [quiz, homework] = [await startQuizService(), await startFakeSubmissionServices()];
  const courses = await startCoursesService({ ...homework.env, QUIZ_GRPC: quiz.service.grpcAddress });
  try {
    const { courseId, ...scene } = await quiz.setUp();
    await courses.database.query(
      'INSERT INTO courses.courses (id, title) OVERRIDING SYSTEM VALUE VALUES ($1, $2)',
      [courseId, 'Course'],
    );
    // Read in one piece, in several, and as a stream.
    for (const bytes of [1_000, 300_000, 2_000_000]) {
      const added = await quiz.setUp({ course_id: String(courseId) });
      quiz.peers.enrollments.set(`${added.studentId}/${courseId}`, { paid: true });
      await quiz.upload({ ...added, courseId }, { file: await pdf(`${bytes}.pdf`, { bytes }) });
    }
    await quiz.upload({ courseId, ...scene });
    const kept = Buffer.from(await quiz.pdf.arrayBuffer());
    const rows = await quiz.database.query<{ key: string; size: string }>('SELECT key, size FROM quiz.files');
    for (const { key, size } of rows) {
      if (Number(size) === kept.length) continue;
      const path = join(quiz.service.directory, 'files', key.slice(0, 2), key);
      const content = await readFile(path);
      content.set(randomBytes(16), content.length - 500);
      await writeFile(path, content);
    }
    const { body } = await courses.get<Buffer>(`/api/v3/admin/courses/${courseId}/submissions.zip`);
    const { files, manifest } = await readCourseArchive(body);
    expect(files.map(({ content }) => content.equals(kept))).toEqual([true]);
    expect(manifest.map(({ status }) => status).toSorted()).toEqual([
      'damaged',
      'damaged',
      'damaged',
      'found',
    ]);
  } finally {
    await Promise.all([courses.close(), quiz.close()]);
    await homework.close();
  }
});
