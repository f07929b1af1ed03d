import { createHttpClient, form } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesForm, type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

const administrator = () => createHttpClient({ baseUrl: homework.service.url, token: homework.admin });

/** An assignment with one student's submission, which has two files. */
async function newScene() {
  const scene = await homework.setUp();
  const name = { firstName: 'Zebulon', lastName: 'Quixote', email: 'zebulon@quixote.example' };
  const student = homework.enroll(scene.courseId, name);
  const names = ['zebulon-1.pdf', 'zebulon-2.pdf'];
  const { id } = await homework.submitted(scene.classId, student, names);
  const path = `/api/v3/grading/homeworks/${scene.classId}`;
  return { ...scene, student, id, path, item: administrator(), names };
}

const setSettings = (classId: number, settings: string) =>
  homework.rows(`UPDATE homework.assignments SET ${settings} WHERE class_id = $1`, classId);

describe('an anonymous assignment', () => {
  test('a submission and its files have codes instead of names until the grades are released', async () => {
    const { id, path, classId, item, student, names } = await newScene();
    await setSettings(classId, "release = 'manual', anonymous = true");
    const read = async () => (await item.get(`/api/v3/grading/homeworks/submissions/${id}`)).body.data;
    const hidden = await read();
    expect(hidden).toMatchObject({
      student: { id: null, name: expect.stringMatching(/^Student [A-Z0-9]{4}$/), email: '' },
      files: [{ name: 'answer.pdf' }, { name: 'answer (2).pdf' }],
    });
    const { pathname, search } = new URL(hidden.files[1].url);
    const file = await item.get(pathname + search);
    expect(file.headers.get('content-disposition')).toBe('inline; filename="answer (2).pdf"');
    const annotated = new URL(hidden.annotated_url);
    const marked = await item.get(annotated.pathname + annotated.search);
    expect(marked.headers.get('content-disposition')).not.toContain('zebulon');
    expect((await item.get(`${path}/submissions?search=quixote`)).body.data).toEqual([]);
    await setSettings(classId, 'released_at = now()');
    const shown = await read();
    expect(shown.student).toMatchObject({ id: student.id, name: 'Zebulon Quixote' });
    expect(shown.files.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  test('no two of thousands of submissions for an assignment have the same code', async () => {
    const { classId } = await newScene();
    // Among that many random codes, about a dozen pairs are expected to be equal.
    const [row] = await homework.rows(
      `WITH added AS (
         INSERT INTO homework.submissions (class_id, student_id, submitted_at)
         SELECT $1, 20000000 + n, now() FROM generate_series(1, 5000) n RETURNING code)
       SELECT count(DISTINCT code)::int AS codes FROM added`,
      classId,
    );
    expect(row).toEqual({ codes: 5_000 });
  });

  test('an altered name in the link of an anonymous file is refused', async () => {
    const { id, classId, item } = await newScene();
    await setSettings(classId, "release = 'manual', anonymous = true");
    const { body } = await item.get(`/api/v3/grading/homeworks/submissions/${id}`);
    const { pathname, search } = new URL(body.data.files[0].url);
    const altered = [search.replace('answer.pdf', 'answer%20(2).pdf'), search.replace('for=answer.pdf&', '')];
    for (const each of altered) expect((await item.get(pathname + each)).status).toBe(403);
  });
});

describe('homework handed in by staff', () => {
  test('a teacher hands in several files for a student, and later replaces them with a paper submission', async () => {
    const { classId, courseId, path, item } = await newScene();
    await setSettings(classId, "deadline = '2020-01-01'");
    const { id: studentId } = homework.enroll(courseId);
    const files = filesForm([
      ['one.pdf', homework.pdf],
      ['two.pdf', homework.pdf],
    ]);
    files.append('student_id', String(studentId));
    const created = await item.post(`${path}/submissions`, files);
    expect([created.status, created.body.data.files.length]).toEqual([201, 2]);
    const again = { student_id: String(studentId) };
    expect((await item.post(`${path}/submissions`, form(again))).body).toMatchObject({
      message: 'Submission exists',
      data: { id: created.body.data.id },
    });
    const replaced = await item.post(`${path}/submissions`, form({ ...again, replace: '1' }));
    expect([replaced.status, replaced.body.data.files, replaced.body.data.late]).toEqual([200, [], null]);
    expect(replaced.body.data.submitted_by).toMatchObject({ id: 1 });
  });

  test('all students of an assignment are listed with the state of their work', async () => {
    const { courseId, path, item, student, id } = await newScene();
    const missing = homework.enroll(courseId, { lastName: 'Zyx' });
    const { body } = await item.get(`${path}/students?search=z`);
    expect(body.data).toEqual([
      expect.objectContaining({ student: expect.objectContaining({ id: student.id }), submission_id: id }),
      expect.objectContaining({ student: expect.objectContaining({ id: missing.id }), state: 'missing' }),
    ]);
  });
});
