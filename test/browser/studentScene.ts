import { createHash } from 'node:crypto';
import type { Student } from '@gradeway/test/fixtures';
import { unique } from '@gradeway/test/fixtures';
import { form, pdf } from '@gradeway/test/httpClient';
import type { Locator, Page } from 'playwright-core';
import { createFixtures } from './gradingScene.ts';

/** A student with an open quiz that has questions, and with homework. */
export interface StudentScene {
  student: Student;
  courseId: number;
  courseTitle: string;
  quiz: { id: number; title: string };
  homework: { id: number; title: string };
}

const minutes = (from: number) => `${new Date(Date.now() + from * 60_000).toISOString().slice(0, 19)}Z`;

/** Adds a quiz with questions to a course; times are minutes from now. */
export async function newQuizOf(
  courseId: number,
  { title = `Quiz ${unique()}`, opens = -10, closes = 120, duration = 45 } = {},
  fixtures = createFixtures(),
): Promise<{ id: number; title: string }> {
  const fields = {
    title,
    course_id: String(courseId),
    opens_at: minutes(opens),
    closes_at: minutes(closes),
    duration_minutes: String(duration),
    total_grade_for_quiz_pdf: '10',
    file: await pdf(),
  };
  const admin = await fixtures.asAdmin();
  const { status, body } = await admin.post('/api/v3/quiz/pdf-quizzes', form(fields));
  if (status !== 201) throw new Error(`creating the quiz returned ${status}`);
  return { id: body.data.id, title };
}

export async function newStudentScene(fixtures = createFixtures()): Promise<StudentScene> {
  const courseTitle = `Course ${unique()}`;
  const title = `Homework ${unique()}`;
  const [courseId, student] = await Promise.all([fixtures.newCourse(courseTitle), fixtures.newStudent()]);
  const [quiz, classId] = await Promise.all([
    newQuizOf(courseId, {}, fixtures),
    fixtures.newClass(courseId, title),
  ]);
  await Promise.all([fixtures.newAssignment(classId), fixtures.enroll(courseId, student)]);
  return { student, courseId, courseTitle, quiz, homework: { id: classId, title } };
}

/** Chooses files on a work card and confirms the dialog that shows the first page. */
export async function handIn(card: Locator, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  await card.getByLabel('Answer sheet').setInputFiles(files);
  await card.page().getByRole('dialog').getByRole('button', { name: 'Hand in', exact: true }).click();
}

/** Returns the stored file of a student's only submission for a quiz, as graders see it. */
export async function storedSheet(
  quizId: number,
): Promise<{ id: number; sha256: string; pages: number; url: string }> {
  const admin = await createFixtures().asAdmin();
  const { data: rows } = (await admin.get(`/api/v3/grading/quizzes/${quizId}/submissions`)).body;
  if (rows.length !== 1) throw new Error(`there are ${rows.length} submissions`);
  const { data } = (await admin.get(`/api/v3/grading/quizzes/submissions/${rows[0].id}`)).body;
  const [file] = data.files;
  return { id: rows[0].id, sha256: file.sha256, pages: file.pages, url: file.url };
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Creates a photo of a coloured page as a phone takes it: with noise, and optionally rotated by its EXIF data. */
export async function takePhoto(
  page: Page,
  { color = '#f4efe4', width = 1200, height = 1600, orientation = 1 } = {},
): Promise<Buffer> {
  const encoded = await page.evaluate(
    async ({ color, width, height }) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.fillStyle = color;
      context.fillRect(0, 0, width, height);
      // A third of the page is noise, which hardly compresses.
      const noise = context.createImageData(width, Math.floor(height / 3));
      for (let at = 0; at < noise.data.length; at += 1)
        noise.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
      context.putImageData(noise, 0, height / 3);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
      return Array.from(new Uint8Array(await blob.arrayBuffer()));
    },
    { color, width, height },
  );
  return withOrientation(Buffer.from(encoded), orientation);
}

/** Adds EXIF data with the camera's orientation to a JPEG. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = [
    0x49,
    0x49,
    0x2a,
    0,
    8,
    0,
    0,
    0,
    1,
    0,
    0x12,
    1,
    3,
    0,
    1,
    0,
    0,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), Buffer.from(tiff)]);
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]);
}
