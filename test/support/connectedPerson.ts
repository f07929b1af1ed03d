import { type CookieBrowser, createCookieBrowser } from './cookieBrowser.ts';
import type { Fixtures } from './fixtures.ts';
import { form } from './httpClient.ts';
import type { OidcServer } from './oidcServer.ts';
import type { PersonEverywhere } from './personEverywhere.ts';
import { waitFor } from './waitFor.ts';

/** What gives access on behalf of a person. */
export interface ConnectedPerson {
  personalToken: string;
  calendarUrl: string;
  /** The token of the session that the provider opened. */
  sessionToken: string;
  /** Signs in with the provider once more. Returns the URL of the page that the browser is redirected to. */
  signIn(): Promise<string>;
  /** Everything above that is secret. */
  secrets: string[];
}

/** Every table with rows about a connected person, as the beginning of a condition. The rows may contain nothing but ids. */
export const connectionRows = [
  'auth.api_tokens WHERE user_id',
  'auth.identities WHERE user_id',
  'auth.sign_ins WHERE user_id',
  'auth.sessions WHERE user_id',
  'courses.mail_preferences WHERE user_id',
  'courses.mail_messages WHERE user_id',
  'courses.calendars WHERE owner_id',
  'courses.calendar_events WHERE owner_id',
];

const inADay = () => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;

/**
 * Connects a person with other systems: an identity at `provider` with a session, a sign-in that has not ended, a
 * personal token, a calendar, choices and messages by mail, and uploaded rosters and grades that wait for approval.
 */
export async function connectPerson(
  fixtures: Fixtures,
  { student, courseId, classId, quizId }: PersonEverywhere,
  provider: OidcServer,
  origin: string,
): Promise<ConnectedPerson> {
  const { email, firstName, lastName } = student;
  const wanted = { name: `${firstName}'s laptop`, scopes: ['grades:read'] };
  const personalToken = (await student.post('/api/v3/me/tokens', wanted)).body.data.token;
  const kinds = { 'work.published': 'digest', 'submission.received': 'mail' };
  await student.put('/api/v3/me/notifications', { language: 'ar', kinds });

  // A message that waits for the digest, and an event in the calendar.
  await fixtures.newQuiz(courseId, { closes_at: inADay() });
  const calendarUrl = (await student.post('/api/v3/me/calendar')).body.data.url;
  await waitFor(async () =>
    (await fixtures.callAs().get(calendarUrl)).body?.toString().includes('BEGIN:VEVENT'),
  );

  const admin = await fixtures.asAdmin();
  const upload = (path: string, text: string) =>
    admin.post(`/api/v3/grading/${path}?dry_run=1`, form({ file: new Blob([text]) }, 'file.csv'));
  const roster = await upload(
    `courses/${courseId}/roster`,
    `first_name,last_name,email\n${firstName},${lastName},${email}\n`,
  );
  if (!roster.body.data.token) throw new Error(`the roster was refused: ${JSON.stringify(roster.body)}`);
  for (const item of [`homeworks/${classId}`, `quizzes/${quizId}`]) {
    const { body } = await upload(`${item}/grades`, `email,grade,comment\n${email},5,${firstName} again\n`);
    if (!body.data.token) throw new Error(`the grades were refused: ${JSON.stringify(body)}`);
  }

  provider.person = {
    sub: `subject-of-${email}`,
    ...{ email, email_verified: true, given_name: firstName, family_name: lastName },
  };
  const browser = createCookieBrowser();
  await signIn(browser);
  const sessionToken = browser.cookie(new URL(origin).host, 'session') ?? '';
  await browser.request(`${origin}/session/sso/school?link=1`);
  const calendarToken = calendarUrl.replace(/.*\/|\.ics$/g, '');
  return {
    ...{ personalToken, calendarUrl, sessionToken },
    signIn: () => signIn(createCookieBrowser()),
    secrets: [personalToken, sessionToken, calendarToken],
  };

  async function signIn(own: CookieBrowser): Promise<string> {
    const isBack = (url: URL) => url.origin === origin && !url.pathname.startsWith('/session');
    const response = await own.follow(`${origin}/session/sso/school`, isBack);
    return response.headers.get('location') ?? '';
  }
}
