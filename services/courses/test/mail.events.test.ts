import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowanceState, itemState } from './itemEvents.ts';
import {
  type MailSystem,
  newId,
  newScene,
  publicUrl,
  startMailSystem,
  waitUntilExamined,
  waitUntilSettled,
} from './mailScene.ts';

let system: MailSystem;
beforeAll(async () => {
  system = await startMailSystem();
});
afterAll(() => system.close());

const subjectsTo = (address: string) => system.mail.mailsTo(address).map(({ subject }) => subject);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('a received submission', () => {
  test('the student gets one message, however often the event is delivered', async () => {
    const scene = await newScene(system);
    const event = await scene.submitted();
    await system.redeliver(event);
    await system.redeliver(event);
    await waitFor(() => system.mail.mailsTo(scene.student.email).length > 0);
    await system.redeliver(event);
    await scene.graded();
    await waitFor(() => subjectsTo(scene.student.email).includes('Graded: Groups – Algebra'));
    expect(subjectsTo(scene.student.email)).toEqual([
      'Submission received: Groups – Algebra',
      'Graded: Groups – Algebra',
    ]);
  });

  test('every replacement of the files creates a new message', async () => {
    const scene = await newScene(system);
    await scene.submitted();
    await scene.submitted({ state_revision: 2 });
    await waitFor(() => system.mail.mailsTo(scene.student.email).length === 2);
  });

  test('an event that is published again much later creates no message', async () => {
    const scene = await newScene(system);
    await scene.submitted({ submitted_at: '2026-03-01T08:00:00.000Z' });
    await scene.graded({ graded_at: '2026-03-01T08:00:00.000Z' });
    const stored = 'SELECT key FROM courses.mail_messages WHERE user_id = $1';
    expect(await system.courses.database.query(stored, [scene.student.id])).toEqual([]);
  });
});

describe('grades', () => {
  test('gradings in quick succession create one message, without the grades or comments', async () => {
    const scene = await newScene(system);
    const secret = { grade: 13.25, comment: 'Mind the signs' };
    await scene.graded({ ...secret, revision: 1 });
    await scene.graded({ ...secret, revision: 2 });
    await waitUntilSettled(system, scene.student.id);
    const [mail, ...others] = system.mail.mailsTo(scene.student.email);
    expect(others).toEqual([]);
    expect(mail?.text).toContain(`${publicUrl}/my/submissions/quizzes/${scene.submissionId}`);
    for (const part of [mail?.text, mail?.html, mail?.subject]) expect(part).not.toMatch(/13[.,]25|signs/);
  });

  test('a later grading creates another message', async () => {
    const scene = await newScene(system);
    await scene.graded({ revision: 1 });
    await waitFor(() => subjectsTo(scene.student.email).length === 1);
    await scene.graded({ revision: 2 });
    await waitFor(() => subjectsTo(scene.student.email).length === 2);
  });

  test('an undone grading makes none', async () => {
    const scene = await newScene(system);
    const about = { quiz_id: scene.quizId, course_id: scene.courseId, student_id: scene.student.id };
    await scene.graded();
    const ungraded = { ...about, submission_id: scene.submissionId, revision: 2 };
    await system.courses.sendEvent('quiz.submission.ungraded.v1', ungraded);
    await waitUntilSettled(system, scene.student.id);
    expect(subjectsTo(scene.student.email)).toEqual([]);
  });

  test('hidden grades create no message until they are released, and then create one', async () => {
    const scene = await newScene(system);
    await scene.item(2, { released_at: null });
    await scene.graded({ visible_from: null, item_revision: 2 });
    await waitUntilExamined(system, scene.quizId);
    await waitUntilSettled(system, scene.student.id);
    expect(subjectsTo(scene.student.email)).toEqual([]);
    await scene.item(3);
    await scene.released();
    await waitFor(() => subjectsTo(scene.student.email).length > 0);
    expect(subjectsTo(scene.student.email)).toEqual(['Graded: Groups – Algebra']);
  });

  test('grades that are withheld before the message is sent create no message', async () => {
    const scene = await newScene(system);
    await scene.graded();
    await scene.released();
    await scene.item(2, { released_at: null });
    await scene.withheld();
    await waitUntilExamined(system, scene.quizId);
    await waitUntilSettled(system, scene.student.id);
    expect(subjectsTo(scene.student.email)).toEqual([]);
  });

  test('releasing, withdrawing and releasing again creates one message', async () => {
    const scene = await newScene(system);
    await scene.item(2, { released_at: null });
    await scene.graded({ visible_from: null, item_revision: 2 });
    await scene.item(3);
    await scene.released();
    await scene.item(4, { released_at: null });
    await scene.withheld();
    await scene.item(5);
    await scene.released();
    await scene.released();
    await waitUntilExamined(system, scene.quizId);
    await waitUntilSettled(system, scene.student.id);
    expect(subjectsTo(scene.student.email)).toEqual(['Graded: Groups – Algebra']);
  });
});

describe('at the time of sending', () => {
  test.each([
    ['blocked', 'blocked'],
    ['deleted', 'deleted'],
    ['no longer enrolled', 'unenrolled'],
    ['not interested', 'off'],
  ])('a person who is %s gets nothing', async (_, what) => {
    const scene = await newScene(system);
    const { id, email } = scene.student;
    const users = system.courses.peers.users;
    await scene.graded();
    const index = users.findIndex(({ userId }) => userId === id);
    if (what === 'blocked') Object.assign(users[index] ?? {}, { isBlocked: true });
    if (what === 'deleted') users.splice(index, 1);
    if (what === 'unenrolled')
      await system.courses.request('DELETE', `/api/v3/admin/courses/${scene.courseId}/students/${id}`);
    if (what === 'off') await scene.choose(scene.student, { 'grades.released': 'off' });
    await waitUntilSettled(system, id);
    expect(subjectsTo(email)).toEqual([]);
  });

  test('a message goes to the current address in the current language', async () => {
    const scene = await newScene(system);
    const user = system.courses.peers.users.find(({ userId }) => userId === scene.student.id);
    await scene.graded();
    Object.assign(user ?? {}, { email: `new-${scene.student.email}` });
    await scene.choose(scene.student, {}, 'ar');
    const [mail] = await waitFor(() => {
      const mails = system.mail.mailsTo(`new-${scene.student.email}`);
      return mails.length > 0 && mails;
    });
    expect(mail?.subject).toBe('تم التصحيح: Groups – Algebra');
    expect(mail?.html).toContain('<html lang="ar" dir="rtl">');
    expect(subjectsTo(scene.student.email)).toEqual([]);
  });
});

describe('published work', () => {
  const published = ({ quizId, courseId }: { quizId: number; courseId: number }) => ({
    ...{ item_id: quizId, course_id: courseId, title: 'Groups', opens_at: null, closes_at: null },
  });

  test('every student who can hand in work is notified, and nobody else', async () => {
    const scene = await newScene(system);
    const [other, unpaid, instructor] = [
      await scene.newStudent(),
      await scene.newStudent({ paid: false }),
      await scene.newInstructor(),
    ];
    for (const each of [scene.student, other, unpaid]) await scene.choose(each, { 'work.published': 'mail' });
    await system.publish('quiz.published.v1', published(scene));
    await waitUntilSettled(system, scene.student.id, other.id, unpaid.id);
    const subjects = [scene.student, other, unpaid, instructor].map(({ email }) => subjectsTo(email));
    expect(subjects).toEqual([['New work: Groups – Algebra'], ['New work: Groups – Algebra'], [], []]);
  });

  test('an assignment is announced, and its closing time mentioned, only once it has opened', async () => {
    const scene = await newScene(system);
    await scene.choose(scene.student, { 'work.published': 'mail', 'work.due': 'mail' });
    const publishClass = async (title: string, opens_at: string) => {
      const id = await system.courses.createClass(scene.courseId, title);
      const times = { opens_at, closes_at: inHours(12) };
      await system.courses.sendEvent('homework.changed.v1', {
        ...itemState({ id, course_id: scene.courseId, title, ...times }),
      });
      const item = { item_id: id, course_id: scene.courseId, title, ...times };
      await system.publish('homework.published.v1', item);
    };
    const opensAt = Date.now() + 600_000;
    await publishClass('Scheduled', new Date(opensAt).toISOString());
    await publishClass('Opened', inHours(-1));
    await waitFor(() => subjectsTo(scene.student.email).length >= 2);
    const subjects = subjectsTo(scene.student.email).toSorted();
    expect(subjects).toEqual(['Closing soon: Opened – Algebra', 'New work: Opened – Algebra']);
    const waiting = "SELECT due_at FROM courses.mail_messages WHERE user_id = $1 AND status = 'waiting'";
    const rows = await system.courses.database.query<{ due_at: Date }>(waiting, [scene.student.id]);
    expect(rows.map(({ due_at: dueAt }) => dueAt.getTime())).toEqual([opensAt]);
  });

  test('work that has become a draft again is not announced', async () => {
    const scene = await newScene(system);
    await scene.choose(scene.student, { 'work.published': 'mail' });
    await scene.item(2, { is_deleted: true });
    await system.publish('quiz.published.v1', published(scene));
    await waitUntilSettled(system, scene.student.id);
    expect(subjectsTo(scene.student.email)).toEqual([]);
  });
});

describe('a reminder', () => {
  test('is sent a day before the closing time of the student, only while the work is missing', async () => {
    const scene = await newScene(system);
    const [late, excused, done, unpaid] = [
      await scene.newStudent(),
      await scene.newStudent(),
      await scene.newStudent(),
      await scene.newStudent({ paid: false }),
    ];
    const everyone = [scene.student, late, excused, done, unpaid];
    for (const each of everyone) await scene.choose(each, { 'work.due': 'mail' });
    const allow = (student: { id: number }, change: object) =>
      system.courses.sendEvent(
        'quiz.allowance.changed.v1',
        allowanceState({
          item_id: scene.quizId,
          course_id: scene.courseId,
          student_id: student.id,
          ...change,
        }),
      );
    await allow(late, { closes_at: inHours(72) });
    await allow(excused, { excused: true });
    await scene.submitted({ submission_id: newId(), student_id: done.id });
    await scene.item(2, { closes_at: inHours(10) });
    await waitFor(() => subjectsTo(scene.student.email).length > 0);
    const subjects = everyone.map(({ email }) => subjectsTo(email));
    const received = 'Submission received: Groups – Algebra';
    expect(subjects).toEqual([['Closing soon: Groups – Algebra'], [], [], [received], []]);

    await allow(late, { closes_at: inHours(20), revision: 2 });
    await waitFor(() => subjectsTo(late.email).length > 0);
    expect(subjectsTo(scene.student.email)).toHaveLength(1);
  });

  test('is not sent once the work has been handed in', async () => {
    const scene = await newScene(system);
    await scene.choose(scene.student, { 'work.due': 'digest' });
    await scene.item(2, { closes_at: inHours(48) });
    const insert = `
      INSERT INTO courses.mail_messages (user_id, key, kind, item_kind, item_id, useless_at, due_at)
      VALUES ($1, 'due', 'work.due', 'quiz', $2, now() + interval '2 days', now() + interval '1 hour')`;
    await system.courses.database.query(insert, [scene.student.id, scene.quizId]);
    await scene.submitted();
    await scene.item(3, { closes_at: inHours(10) });
    await scene.choose(scene.student, { 'work.due': 'mail' });
    const makeDue = `UPDATE courses.mail_messages SET due_at = now() WHERE user_id = $1`;
    await system.courses.database.query(makeDue, [scene.student.id]);
    await waitUntilSettled(system, scene.student.id);
    expect(subjectsTo(scene.student.email)).toEqual(['Submission received: Groups – Algebra']);
  });
});

describe('reviews and finished gradings', () => {
  const review = (scene: Awaited<ReturnType<typeof newScene>>, reviewId: number, revision: number) => ({
    ...{ submission_id: scene.submissionId, quiz_id: scene.quizId, course_id: scene.courseId },
    ...{ student_id: scene.student.id, review_id: reviewId, question_id: null, revision },
  });

  test('instructors are notified of a review, and the student of the response', async () => {
    const scene = await newScene(system);
    const instructor = await scene.newInstructor();
    await scene.choose(instructor, { 'review.opened': 'mail' });
    const reviewId = newId();
    await system.publish('quiz.review.opened.v1', review(scene, reviewId, 1));
    await system.publish('quiz.review.closed.v1', review(scene, reviewId, 2));
    await waitFor(() => subjectsTo(instructor.email).length > 0);
    await waitFor(() => subjectsTo(scene.student.email).length > 0);
    expect(subjectsTo(instructor.email)).toEqual(['Review requested: Groups – Algebra']);
    expect(subjectsTo(scene.student.email)).toEqual(['Review answered: Groups – Algebra']);
    const [mail] = system.mail.mailsTo(instructor.email);
    expect(mail?.text).toContain(`${publicUrl}/grading/quizzes/${scene.quizId}/reviews`);
    expect(mail?.text).not.toMatch(/Lovelace(?!,)/);
  });

  test('teachers are notified once when the last submission is graded', async () => {
    const scene = await newScene(system);
    const [teacher, other] = [await scene.newInstructor(), await scene.newStudent()];
    const second = { submission_id: newId(), student_id: other.id };
    await scene.choose(teacher, { 'grading.finished': 'mail' });
    await scene.submitted();
    await scene.submitted(second);
    await scene.graded();
    await waitUntilExamined(system, scene.quizId);
    expect(subjectsTo(teacher.email)).toEqual([]);
    await scene.graded(second);
    await waitFor(() => subjectsTo(teacher.email).length > 0);
    await scene.graded({ ...second, revision: 2 });
    await waitUntilExamined(system, scene.quizId);
    await waitUntilSettled(system, teacher.id);
    expect(subjectsTo(teacher.email)).toEqual(['Grading finished: Groups – Algebra']);
  });
});
