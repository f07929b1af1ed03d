import { createHttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Student } from './coursesService.ts';
import { type MailSystem, newScene, publicUrl, startMailSystem, waitUntilSettled } from './mailScene.ts';
import { headerOf, type ReceivedMail } from './mailServer.ts';

let system: MailSystem;
beforeAll(async () => {
  system = await startMailSystem();
});
afterAll(() => system.close());

const path = '/api/v3/me/notifications';
const read = async ({ token }: Student) =>
  (await system.courses.get<{ data: { language: string; kinds: Record<string, string> } }>(path, token)).body;
const put = (person: Student, body: unknown) => system.courses.request('PUT', path, person.token, body);

const studentDefaults = {
  'submission.received': 'mail',
  'grades.released': 'mail',
  'work.published': 'digest',
  'work.due': 'digest',
  'review.answered': 'mail',
};

describe('preferences', () => {
  test('everyone starts with the defaults of their role', async () => {
    const { createAccount } = system.courses;
    expect(await read(createAccount())).toEqual({ data: { language: 'en', kinds: studentDefaults } });
    const ofStaff = {
      data: { language: 'en', kinds: { 'review.opened': 'digest', 'grading.finished': 'digest' } },
    };
    expect(await read(createAccount({ role: 'instructor' }))).toEqual(ofStaff);
    expect(await read(createAccount({ role: 'admin' }))).toEqual(ofStaff);
  });

  test('a change keeps preferences that it omits', async () => {
    const student = system.courses.createAccount();
    await put(student, { kinds: { 'work.due': 'mail' } });
    await put(student, { language: 'ar' });
    const changed = {
      data: { language: 'ar', kinds: { ...studentDefaults, 'work.due': 'mail', 'grades.released': 'off' } },
    };
    expect(await put(student, { kinds: { 'grades.released': 'off' } })).toMatchObject({
      status: 200,
      body: changed,
    });
    expect(await read(student)).toEqual(changed);
  });

  test.each([
    ['an unknown language', { language: 'fr' }, 'language'],
    ['an unknown kind', { kinds: { gossip: 'mail' } }, 'kinds.gossip'],
    ['a kind of another role', { kinds: { 'review.opened': 'mail' } }, 'kinds.review.opened'],
    ['an unknown choice', { kinds: { 'work.due': 'sms' } }, 'kinds.work.due'],
  ])('%s is refused', async (_, body, field) => {
    const answer = await put(system.courses.createAccount(), body);
    const errors = { [field]: [`The selected ${field} is invalid.`] };
    expect([answer.status, answer.body]).toEqual([422, { message: 'Invalid Data', errors }]);
  });

  test('parents have no notifications', async () => {
    const parent = system.courses.createAccount({ role: 'parent' });
    expect((await system.courses.get(path, parent.token)).status).toBe(403);
  });
});

describe('unsubscribing', () => {
  const linkOf = (mail: ReceivedMail | undefined) => {
    const link = /^<(\S+)>$/.exec((mail && headerOf(mail, 'list-unsubscribe')) ?? '')?.[1] ?? '';
    expect(link).toContain(`${publicUrl}/api/v3/notifications/unsubscribe?token=`);
    return link.slice(publicUrl.length);
  };
  const call = (method: string, link: string) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const client = createHttpClient({ baseUrl: system.courses.service.url });
    return client.request(
      method,
      link,
      method === 'POST' ? { headers: form, body: 'List-Unsubscribe=One-Click' } : {},
    );
  };

  test('one click unsubscribes from the kind of message, and opening the link changes nothing', async () => {
    const scene = await newScene(system);
    await scene.submitted();
    const [mail] = await waitFor(() => {
      const mails = system.mail.mailsTo(scene.student.email);
      return mails.length > 0 && mails;
    });
    const link = linkOf(mail);
    expect(headerOf(mail as ReceivedMail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');

    const page = await call('GET', link);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.body.toString()).toContain('<form method="post">');
    expect((await read(scene.student)).data.kinds).toEqual(studentDefaults);

    expect((await call('POST', link)).status).toBe(200);
    expect((await call('POST', link)).status).toBe(200);
    const kinds = { ...studentDefaults, 'submission.received': 'off' };
    expect((await read(scene.student)).data.kinds).toEqual(kinds);

    await scene.submitted({ state_revision: 2 });
    await waitUntilSettled(system, scene.student.id);
    expect(system.mail.mailsTo(scene.student.email)).toHaveLength(1);
    const token = new URL(publicUrl + link).searchParams.get('token') ?? '';
    await waitFor(() => system.courses.service.log().includes('/api/v3/notifications/unsubscribe'));
    expect(system.courses.service.log()).not.toContain(token);
  });

  test.each([
    ['absent', () => ''],
    ['of another kind', (token: string) => token.replace('submission.received', 'grades.released')],
    ['of another person', (token: string) => token.replace(/^\d+/, '1')],
    ['cut short', (token: string) => token.slice(0, -1)],
  ])('a token that is %s is a 404', async (_, change) => {
    const scene = await newScene(system);
    await scene.submitted();
    await waitFor(() => system.mail.mailsTo(scene.student.email).length > 0);
    const [mail] = system.mail.mailsTo(scene.student.email);
    const [base = '', token = ''] = linkOf(mail).split('token=');
    for (const method of ['GET', 'POST'])
      expect((await call(method, `${base}token=${change(token)}`)).status).toBe(404);
    expect((await read(scene.student)).data.kinds).toEqual(studentDefaults);
  });

  test('unsubscribing from a digest ends every kind that is part of it', async () => {
    const scene = await newScene(system);
    await scene.choose(scene.student, { 'submission.received': 'digest' });
    await scene.submitted();
    await waitUntilSettled(system, scene.student.id);
    const makeDue = "UPDATE courses.mail_messages SET due_at = now() WHERE user_id = $1 AND kind = 'digest'";
    await system.courses.database.query(makeDue, [scene.student.id]);
    await waitFor(() => system.mail.mailsTo(scene.student.email).length > 0);
    const [mail] = system.mail.mailsTo(scene.student.email);
    expect((await call('POST', linkOf(mail))).status).toBe(200);
    expect((await read(scene.student)).data.kinds).toEqual({
      ...{ 'submission.received': 'off', 'grades.released': 'mail', 'work.published': 'off' },
      ...{ 'work.due': 'off', 'review.answered': 'mail' },
    });
  });
});
