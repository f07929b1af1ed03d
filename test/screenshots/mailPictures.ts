import { daysFromNow } from '@gradeway/local/demo/uploadForm';
import { waitFor } from '@gradeway/test/waitFor';
import type { ReceivedMail } from '../../services/courses/test/mailServer.ts';
import { emailOf, type Scene } from './startScene.ts';

/** A picture of a message that the mail server received. */
interface MailPicture {
  /** The person of the demo school who receives it. */
  login: string;
  isIt(mail: ReceivedMail): boolean;
}

export const mailPictures: Record<string, MailPicture> = {
  mailGraded: { login: 'ada', isIt: ({ subject }) => subject?.startsWith('Graded:') === true },
  mailPublished: { login: 'muhammad', isIt: ({ subject }) => subject?.includes('Polynomials') === true },
  mailDigest: { login: 'sofya', isIt: isDigest },
  mailDigestArabic: { login: 'omar', isIt: isDigest },
};

function isDigest({ subject }: ReceivedMail): boolean {
  return !subject?.includes(' – ');
}

/** Chooses languages and publishes a quiz, so that every message is sent. */
export async function prepareMail({ callAs, fixtures }: Scene): Promise<void> {
  const preferences = { language: 'ar', kinds: { 'work.published': 'mail' } };
  await (await callAs('muhammad')).call('PUT', '/api/v3/me/notifications', preferences);
  await (await callAs('omar')).call('PUT', '/api/v3/me/notifications', { language: 'ar', kinds: {} });
  const admin = await callAs('admin');
  const { data } = await admin.call<{ data: { id: number; title: string }[] }>(
    'GET',
    '/api/v3/admin/courses',
  );
  const algebra = data.find(({ title }) => title === 'Algebra');
  await fixtures.newQuiz(algebra?.id ?? 0, { title: 'Polynomials', closes_at: daysFromNow(14) });
}

/** Waits for a message and returns its HTML. */
export async function receivedHtml({ mail }: Scene, { login, isIt }: MailPicture): Promise<string> {
  const received = () => mail.mailsTo(emailOf(login)).find(isIt)?.html;
  return waitFor(received, 300_000, 200);
}
