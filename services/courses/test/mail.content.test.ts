import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailSystem, newScene, startMailSystem } from './mailScene.ts';
import { headerOf } from './mailServer.ts';

let system: MailSystem;
beforeAll(async () => {
  system = await startMailSystem();
});
afterAll(() => system.close());

async function receive(options: Parameters<typeof newScene>[1], language = 'en') {
  const scene = await newScene(system, options);
  await scene.choose(scene.student, {}, language);
  await scene.submitted();
  await waitFor(() => system.mail.mailsTo(scene.student.email).length > 0);
  const [mail] = system.mail.mailsTo(scene.student.email);
  if (!mail) throw new Error('no mail arrived');
  return { mail, scene };
}

const headerNames = [
  ...['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type'],
  ...['auto-submitted', 'list-unsubscribe', 'list-unsubscribe-post'],
].sort();

test('a message says in text and HTML that it is automatic and how to unsubscribe, and loads nothing', async () => {
  const { mail } = await receive({});
  expect(mail.headers.map(({ key }) => key).sort()).toEqual(headerNames);
  expect(headerOf(mail, 'auto-submitted')).toBe('auto-generated');
  expect(mail.from).toMatchObject({ name: 'School', address: 'school@school.example' });
  expect(mail.messageId).toMatch(/^<[0-9a-f]{40}@school\.example>$/);
  expect(mail.html).not.toMatch(/<img|<link|<script|url\(|@import|@font-face/i);
  expect(mail.html.match(/https?:\/\/[^"/]+/g)?.every((each) => each === 'https://school.example')).toBe(
    true,
  );
});

const hostile = 'Bcc: thief@evil.example';

test.each([
  ['a line break', `Groups\r\n${hostile}\r\n\r\nbody`],
  ['a line feed', `Groups\n${hostile}`],
  ['a carriage return', `Groups\r${hostile}`],
  ['a Unicode line separator', `Groups\u2028${hostile}\u0085${hostile}`],
  ['an encoded word', `=?utf-8?B?${Buffer.from(`\r\n${hostile}`).toString('base64')}?=`],
  ['markup', `</title><script>alert(1)</script><img src=x onerror=alert(1)>"'`],
  ['an address list', 'a@evil.example, <b@evil.example>; c@evil.example'],
  ['a template', '{course} {work} $& $1 {constructor}'],
])('%s in titles and names adds no header, recipient or markup', async (_, text) => {
  const { mail, scene } = await receive({
    ...{ course: text.replaceAll(/[\r\n]/g, ' '), title: text },
    account: { firstName: text, lastName: 'Lovelace' },
  });
  expect(mail.headers.map(({ key }) => key).sort()).toEqual(headerNames);
  expect(mail.recipients).toEqual([scene.student.email]);
  expect(mail.to).toHaveLength(1);
  expect(mail.to[0]?.address).toBe(scene.student.email);
  expect(mail.html).not.toMatch(/<script|<img/i);
  const [line = ''] = text.split(/[\r\n\u2028]/);
  expect(mail.subject).toContain(line.slice(0, 20));
});

test.each([
  ['Arabic', 'مدخل إلى الجبر', 'سلمى الخطيب'],
  ['Hebrew and English', 'אלגברה (Algebra) 2', 'נועה לוי'],
  ['emoji of several code points', 'Team 👩‍👩‍👧‍👦 🏳️‍🌈', '👩🏽‍🚀 Ada'],
  ['Chinese', '线性代数第一章', '李 明'],
  ['combining accents', 'Re\u0301sume\u0301 avance\u0301', 'Zoe\u0308 D’Arc'],
])('%s arrives as it was written', async (_, title, firstName) => {
  const { mail, scene } = await receive({ title, account: { firstName, lastName: '' } }, 'ar');
  expect(mail.subject).toContain(title);
  expect(mail.to[0]).toMatchObject({ name: firstName, address: scene.student.email });
  expect(mail.text).toContain(title);
  expect(mail.html).toContain(`<bdi>${title}</bdi>`);
});

describe('very long titles', () => {
  test.each([
    ['of one word', 'x'.repeat(255)],
    ['of Arabic letters', 'م'.repeat(255)],
  ])('%s stay within the length of lines', async (_, title) => {
    const { mail } = await receive({ title, course: 'Algebra', account: { firstName: title } });
    const longest = Math.max(...mail.source.split('\r\n').map((line) => Buffer.byteLength(line)));
    expect(longest).toBeLessThanOrEqual(998);
    expect(mail.subject).toContain(`${title.slice(0, 149)}… – Algebra`);
  });
});

test('a direction override cannot disguise a title', async () => {
  const { mail } = await receive({ title: 'Groups \u202Egpj.exe' });
  expect(mail.source + mail.subject + mail.text + mail.html).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  expect(mail.subject).toBe('Submission received: Groups gpj.exe – Algebra');
});
