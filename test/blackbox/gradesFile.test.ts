import { unique } from '@gradeway/test/fixtures';
import { form } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import {
  asAdmin,
  assignInstructor,
  enroll,
  newAssignment,
  newClass,
  newCourse,
  newQuiz,
  newStudent,
  submitHomework,
  submitQuiz,
} from './fixtures.ts';

type Format = '' | '&bom=1' | '&delimiter=;&decimal=,';
const formats: Format[] = ['', '&bom=1', '&delimiter=;&decimal=,'];

/** A course with two quizzes and two assignments with the same title, and two students who handed in everything. */
async function newGradebook() {
  const courseId = await newCourse();
  const title = `=Essay, part 1; "a" ${unique()}`;
  const total = { title, total_grade_for_quiz_pdf: '20' };
  const quizIds = [await newQuiz(courseId, total), await newQuiz(courseId, total)] as const;
  const classIds = [await newClass(courseId, title), await newClass(courseId, 'email')] as const;
  for (const classId of classIds) await newAssignment(classId);
  const teacher = await newStudent({ role: 'instructor' });
  await assignInstructor(courseId, teacher);
  const students = [await newStudent({ first_name: '=1+1' }), await newStudent()] as const;
  for (const student of students) {
    await enroll(courseId, student);
    for (const quizId of quizIds) await submitQuiz({ student, courseId, quizId });
    for (const classId of classIds) await submitHomework({ student, classId });
  }
  // Someone who handed in nothing is in the gradebook too.
  await enroll(courseId, await newStudent());
  const items = [
    ...quizIds.map((id) => `/api/v3/grading/quizzes/${id}`),
    ...classIds.map((id) => `/api/v3/grading/homeworks/${id}`),
  ];
  const gradebook = async (format: Format): Promise<string> =>
    (
      await (await asAdmin()).get(`/api/v3/admin/courses/${courseId}/gradebook?format=grid.csv${format}`)
    ).body.toString();
  const upload = (item: string, text: string) =>
    teacher.post(`${item}/grades?dry_run=1`, form({ file: new Blob([text]) }, 'gradebook.csv'));
  return { items, students, teacher, gradebook, upload };
}

test('uploaded grades that are exported from the gradebook and uploaded again change nothing, in every format', async () => {
  const { items, students, teacher, gradebook, upload } = await newGradebook();
  const [one, other] = students;
  for (const [index, item] of items.entries()) {
    // Points have decimals, ratings do not.
    const [first, second] = index < 2 ? ['12,5', '7'] : ['8', '7'];
    const file = `email;grade;comment\n${one.email};${first};Good\n${other.email};${second};\n`;
    const { body } = await upload(item, file);
    expect(body.data).toMatchObject({ changes: 2, unchanged: 0, errors: [] });
    const applied = await teacher.post(`${item}/grades`, { token: body.data.token });
    expect([applied.status, applied.body.data.changes]).toEqual([200, 2]);
  }
  const rowOf = async () => (await gradebook('')).split('\r\n').find((line) => line.includes(one.email));
  await waitFor(async () => (await rowOf())?.endsWith(',12.5,12.5,8,8,41,60,68.33'));
  for (const format of formats) {
    const text = await gradebook(format);
    for (const item of items)
      expect((await upload(item, text)).body.data, `${item} ${format}`).toMatchObject({
        changes: 0,
        unchanged: 2,
        errors: [],
      });
  }
});

test('a grade that was changed in the gradebook changes only that item', async () => {
  const { items, students, teacher, gradebook, upload } = await newGradebook();
  const [one] = students;
  const [item = '', second = ''] = items;
  const { body } = await upload(item, `student_id,grade\n${one.id},13\n`);
  await teacher.post(`${item}/grades`, { token: body.data.token });
  await waitFor(async () => (await gradebook('')).includes(',13,,,,13,20,65'));
  const changed = (await gradebook('')).replace(',13,,,,', ',14,,,,');
  expect((await upload(second, changed)).body.data).toMatchObject({ changes: 0, errors: [] });
  const planned = await upload(item, changed);
  expect(planned.body.data).toMatchObject({ changes: 1, unchanged: 0, errors: [] });
  await teacher.post(`${item}/grades`, { token: planned.body.data.token });
  await waitFor(async () => (await gradebook('')).includes(',14,,,,14,20,70'));
  // The student who handed in nothing gets no grade.
  const missing = (await gradebook('')).replaceAll(',,,,,0,0,', ',5,,,,0,0,');
  expect((await upload(item, missing)).body.data.errors).toEqual([
    { line: expect.any(Number), message: 'There is no submission of this student.' },
  ]);
});

test('a file that is too large is refused', async () => {
  const { items, upload } = await newGradebook();
  const { status } = await upload(items[0] ?? '', `email,grade\n${'x'.repeat(9 * 1024 * 1024)}`);
  expect(status).toBe(413);
});
