import { unique } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';
import {
  asAdmin,
  callAs,
  enroll,
  isRefusedByProxy,
  newAssignment,
  newClass,
  newCourse,
  newScene,
  newStudent,
  submitHomework,
  waitForGrades,
} from './fixtures.ts';

const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const unauthorized = { message: 'UnauthorizedRequest', errors: null };
const notFound = { message: 'PDF Homework not found', errors: null };

const detail = async (classId: number) =>
  (await (await asAdmin()).get(`/api/v3/admin/homeworks/${classId}`)).body;

describe('GET /admin/homeworks/{class_id}', () => {
  test('homework has every field of the HomeworkObject and all its submissions', async () => {
    const [courseTitle, classTitle] = [`Course ${unique()}`, `Class ${unique()}`];
    const courseId = await newCourse(courseTitle);
    const classId = await newClass(courseId, classTitle);
    await newAssignment(classId, {
      file: await pdf('exercises.pdf'),
      assignment_deadline: '2099-12-31T17:05:00',
      assignment_description: 'Hand in one PDF.',
    });
    const student = await newStudent();
    await enroll(courseId, student);
    const { body: submitted } = await submitHomework({ student, classId }, [
      await pdf('one.pdf'),
      await pdf('two.pdf'),
    ]);

    expect(await detail(classId)).toEqual({
      id: classId,
      title: classTitle,
      course_id: courseId,
      course_title: courseTitle,
      has_assignment: true,
      assignment_deadline: '31/12/2099 05:05 PM',
      assignment_description: 'Hand in one PDF.',
      assignment_file_url: expect.stringMatching(
        /^https?:\/\/.*\/api\/v3\/files\/homework\/\d+\?expires=\d+&signature=/,
      ),
      created_at: dateTime,
      submissions: [
        {
          id: submitted.data.id,
          student_id: student.id,
          student_name: `${student.firstName} ${student.lastName}`,
          student_email: student.email,
          rating: null,
          instructor_comment: null,
          is_reviewed: false,
          submitted_at: dateTime,
          files: [
            { id: expect.any(Number), name: 'one.pdf', url: expect.stringContaining('signature=') },
            { id: expect.any(Number), name: 'two.pdf', url: expect.stringContaining('signature=') },
          ],
          download_url: expect.stringMatching(
            new RegExp(`/api/v3/assignments/download/${submitted.data.id}$`),
          ),
        },
      ],
    });
  });

  test('an assignment without deadline, description or PDF has null for them, and no submissions', async () => {
    const classId = await newClass(await newCourse());
    await newAssignment(classId);
    expect(await detail(classId)).toMatchObject({
      ...{
        assignment_deadline: null,
        assignment_description: null,
        assignment_file_url: null,
        submissions: [],
      },
    });
  });

  test('a class that does not exist, or has no assignment, is 404', async () => {
    const admin = await asAdmin();
    const bare = await newClass(await newCourse());
    for (const id of [bare, 2_147_483_647]) {
      const { status, body } = await admin.get(`/api/v3/admin/homeworks/${id}`);
      expect([status, body]).toEqual([404, notFound]);
    }
  });

  test.each(['abc', '1.5', '-1', '0x1', '99999999999', '1%00'])(
    'the id %s is the standard 404 (D4)',
    async (id) => {
      const answer = await (await asAdmin()).get(`/api/v3/admin/homeworks/${id}`);
      if (isRefusedByProxy(answer)) return;
      expect([answer.status, answer.body]).toEqual([404, { message: 'Not Found', errors: null }]);
    },
  );

  test('a deleted course has no title, and a deleted account has neither name nor address', async () => {
    const scene = await newScene();
    await submitHomework(scene);
    const admin = await asAdmin();
    await admin.delete(`/api/v3/admin/courses/${scene.courseId}`);
    await admin.delete(`/api/v3/admin/users/${scene.student.id}`);
    await waitFor(async () => {
      const { course_title, submissions } = await detail(scene.classId);
      return course_title === null && submissions[0].student_name === null;
    });
    const { submissions } = await detail(scene.classId);
    expect(submissions[0]).toMatchObject({
      student_id: scene.student.id,
      student_name: null,
      student_email: null,
    });
  });
});

describe('GET /admin/homeworks', () => {
  test('the list of homework has the flat envelope, filtered by course, newest class first', async () => {
    const courseId = await newCourse();
    const ids: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const classId = await newClass(courseId);
      await newAssignment(classId);
      ids.unshift(classId);
    }
    const { body } = await (await asAdmin()).get(`/api/v3/admin/homeworks?course_id=${courseId}&per_page=2`);
    const url = (page: number) =>
      expect.stringMatching(
        new RegExp(`/api/v3/admin/homeworks\\?course_id=${courseId}&per_page=2&page=${page}$`),
      );
    expect(body).toEqual({
      current_page: 1,
      data: ids
        .slice(0, 2)
        .map((id) => expect.objectContaining({ id, has_assignment: true, submissions: [] })),
      first_page_url: url(1),
      from: 1,
      last_page: 2,
      last_page_url: url(2),
      next_page_url: url(2),
      path: expect.stringMatching(/\/api\/v3\/admin\/homeworks$/),
      per_page: 2,
      prev_page_url: null,
      to: 2,
      total: 3,
    });
    const next = await (await asAdmin()).get(body.next_page_url);
    expect(next.body).toMatchObject({
      current_page: 2,
      from: 3,
      to: 3,
      next_page_url: null,
      prev_page_url: url(1),
    });
    expect(next.body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(2));
  });

  test('a page of homework has 15 items by default and at most 100, and is empty past the end', async () => {
    const admin = await asAdmin();
    expect((await admin.get('/api/v3/admin/homeworks')).body.per_page).toBe(15);
    expect((await admin.get('/api/v3/admin/homeworks?per_page=1000')).body.per_page).toBe(100);
    const { status, body } = await admin.get('/api/v3/admin/homeworks?page=100000');
    expect([status, body.data, body.from, body.to]).toEqual([200, [], null, null]);
  });

  test('a submission without files has no `files` in the list, and [] in the response for a single class', async () => {
    const scene = await newScene();
    const { body: submitted } = await submitHomework(scene);
    const { id, files } = submitted.data;
    const admin = await asAdmin();
    const removed = await admin.delete(`/api/v3/admin/homeworks/submissions/${id}/files/${files[0].id}`);
    expect(removed.status).toBe(204);
    const { body } = await admin.get(`/api/v3/admin/homeworks?course_id=${scene.courseId}`);
    expect(body.data[0].submissions[0]).not.toHaveProperty('files');
    expect(body.data[0].submissions[0].download_url).toBeNull();
    expect((await detail(scene.classId)).submissions[0]).toMatchObject({ files: [], download_url: null });
  });

  test.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['per_page=-1', 'per_page'],
    ['per_page=1.5', 'per_page'],
    ['course_id=abc', 'course_id'],
  ])('the query %s is 422 ValidationError (D5, D39)', async (query, field) => {
    const { status, body } = await (await asAdmin()).get(`/api/v3/admin/homeworks?${query}`);
    expect([status, body]).toEqual([
      422,
      { message: 'ValidationError', errors: { [field]: [expect.any(String)] } },
    ]);
  });
});

describe('POST /admin/homeworks/grade/{id}', () => {
  const submitted = async () => {
    const scene = await newScene();
    const { body } = await submitHomework(scene);
    return { ...scene, id: body.data.id as number };
  };
  const grade = async (id: number | string, body: unknown) =>
    (await asAdmin()).post(`/api/v3/admin/homeworks/grade/${id}`, body);

  test('a grading marks the submission as reviewed and returns it', async () => {
    const { id, student } = await submitted();
    const { status, body } = await grade(id, { rating: 7, comment: 'Good.' });
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Grade Saved Successfully',
      data: {
        ...{
          id,
          student_id: student.id,
          student_name: `${student.firstName} ${student.lastName}`,
          student_email: student.email,
        },
        ...{ rating: 7, instructor_comment: 'Good.', is_reviewed: true, submitted_at: dateTime },
        files: [expect.objectContaining({ name: 'answers.pdf' })],
        download_url: expect.stringContaining(`/download/${id}`),
      },
    });
  });

  test('a second grading overwrites the first, keeps an absent comment, and clears one that is null or empty (D18)', async () => {
    const { id } = await submitted();
    const comments = [];
    for (const body of [
      { rating: 3, comment: 'First.' },
      { rating: 4 },
      { rating: 4, comment: null },
      { rating: 5, comment: 'x' },
      { rating: 5, comment: '' },
    ])
      comments.push((await grade(id, body)).body.data.instructor_comment);
    expect(comments).toEqual(['First.', 'First.', null, 'x', null]);
    const { body } = await (await asAdmin()).get(`/api/v3/admin/homeworks/submissions/${id}/history`);
    expect(body.data.map(({ rating }: { rating: number }) => rating)).toEqual([5, 5, 4, 4, 3]);
  });

  test.each([
    [{}, 'rating', 'The rating field is required.'],
    [{ rating: null }, 'rating', 'The rating field is required.'],
    [{ rating: '7' }, 'rating', 'The rating must be an integer.'],
    [{ rating: 7.5 }, 'rating', 'The rating must be an integer.'],
    [{ rating: true }, 'rating', 'The rating must be an integer.'],
    [{ rating: 0 }, 'rating', 'The rating must be between 1 and 10.'],
    [{ rating: 11 }, 'rating', 'The rating must be between 1 and 10.'],
    [{ rating: -1e9 }, 'rating', 'The rating must be between 1 and 10.'],
    [
      { rating: 5, comment: 'x'.repeat(1001) },
      'comment',
      'The comment may not be greater than 1000 characters.',
    ],
    [{ rating: 5, comment: 7 }, 'comment', 'The comment must be a string.'],
  ])('the grading %j is 422', async (given, field, message) => {
    const { id } = await submitted();
    const { status, body } = await grade(id, given);
    expect([status, body]).toEqual([422, { message: 'ValidationError', errors: { [field]: [message] } }]);
  });

  test.each([1, 10])('the rating %i is accepted', async (rating) => {
    expect((await grade((await submitted()).id, { rating })).body.data.rating).toBe(rating);
  });

  test('a comment of 1000 characters of any script is accepted (D19)', async () => {
    const comment = '🎓'.repeat(1000);
    expect((await grade((await submitted()).id, { rating: 5, comment })).body.data.instructor_comment).toBe(
      comment,
    );
  });

  test('grading an unknown submission is 404', async () => {
    expect((await grade(2_147_483_647, { rating: 5 })).body).toEqual(notFound);
    expect((await grade('abc', { rating: 5 })).body).toEqual({ message: 'Not Found', errors: null });
  });

  test('a submission can be graded after its assignment was deleted (D21)', async () => {
    const { id, classId } = await submitted();
    expect((await (await asAdmin()).delete(`/api/v3/admin/homeworks/${classId}`)).status).toBe(204);
    expect((await grade(id, { rating: 6 })).status).toBe(200);
    expect((await (await asAdmin()).get(`/api/v3/admin/homeworks/${classId}`)).status).toBe(404);
  });

  test('a grading reaches the gradebook through its event', async () => {
    const { id, student, classId, courseId } = await submitted();
    await grade(id, { rating: 8 });
    const [entry] = await waitForGrades(student, 1);
    expect(entry).toMatchObject({ kind: 'homework', course_id: courseId, grade: 8, total_grade: 10 });
    const { body } = await (await asAdmin()).get(`/api/v3/admin/courses/${courseId}/gradebook`);
    expect(body.data[0].grades).toEqual([
      expect.objectContaining({ kind: 'homework', item_id: classId, grade: 8 }),
    ]);
  });
});

test.each(['user', 'instructor'])(
  'the role %s gets 401 on every homework endpoint for administrators',
  async (role) => {
    const caller = await newStudent({ role });
    const answers = await Promise.all([
      caller.get('/api/v3/admin/homeworks'),
      caller.get('/api/v3/admin/homeworks/1'),
      caller.post('/api/v3/admin/homeworks/grade/1', { rating: 5 }),
      caller.delete('/api/v3/admin/homeworks/1'),
    ]);
    for (const { status, body } of answers) expect([status, body]).toEqual([401, unauthorized]);
    expect((await callAs().get('/api/v3/admin/homeworks')).body).toEqual(unauthorized);
  },
);
