import type { Answer } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';
import { baseUrl, callAs, newAccount } from './fixtures.ts';

const unauthorized = { message: 'UnauthorizedRequest', errors: null };
/** One path of each service. */
const everywhere = ['/api/v3/me', '/api/v3/courses', '/api/v3/homeworks', '/api/v3/quiz/submissions'];

const fromPage = {
  origin: new URL(baseUrl).origin,
  'sec-fetch-site': 'same-origin',
  'x-requested-with': 'gradeway',
};

/** A minimal browser: it sends the headers of a page and keeps one cookie. */
function openBrowser() {
  let cookie = '';
  async function send(method: 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
    const headers = { ...fromPage, ...(cookie === '' ? {} : { cookie }) };
    const answer = await callAs().request(method, path, { headers, body });
    const [stored] = answer.headers.getSetCookie();
    if (stored !== undefined) cookie = stored.includes('Max-Age=0;') ? '' : (stored.split(';')[0] ?? '');
    return answer;
  }
  return {
    logIn: ({ email, password }: { email: string; password: string }) =>
      send('POST', '/session', { email, password }),
    refresh: () => send('POST', '/session/refresh'),
    logOut: () => send('DELETE', '/session'),
    cookie: () => cookie,
    replaceCookie: (other: string) => {
      cookie = other;
    },
  };
}

async function waitUntilRefused(token: string): Promise<void> {
  const client = callAs(token);
  await waitFor(async () => {
    const answers = await Promise.all(everywhere.map((path) => client.get(path)));
    return answers.every(({ status }) => status === 401);
  });
}

test('a browser logs in, refreshes its session after a reload, and logs out everywhere', async () => {
  const browser = openBrowser();
  const opened = await browser.logIn(await newAccount());
  expect([opened.status, opened.body.token_type]).toEqual([200, 'Bearer']);
  const { access_token: before } = opened.body;
  expect((await callAs(before).get('/api/v3/me')).status).toBe(200);

  const refreshed = await browser.refresh();
  expect([refreshed.status, Object.keys(refreshed.body)]).toEqual([
    200,
    ['token_type', 'access_token', 'expires_in'],
  ]);
  const { access_token: after } = refreshed.body;
  for (const path of everywhere) expect((await callAs(after).get(path)).status).toBe(200);
  await waitUntilRefused(before);

  const cookie = browser.cookie();
  expect((await browser.logOut()).status).toBe(204);
  await waitUntilRefused(after);
  expect((await browser.refresh()).body).toEqual(unauthorized);
  browser.replaceCookie(cookie);
  expect((await browser.refresh()).body).toEqual(unauthorized);
  expect(browser.cookie()).toBe('');
});

describe('the session of a browser', () => {
  test('a logout ends a browser session even if its newest token was lost', async () => {
    const browser = openBrowser();
    await browser.logIn(await newAccount());
    const cookie = browser.cookie();
    const { access_token: lost } = (await browser.refresh()).body;
    browser.replaceCookie(cookie);
    expect((await browser.logOut()).status).toBe(204);
    await waitUntilRefused(lost);
  });

  test('a browser session continues in two tabs that refresh at once (D52)', async () => {
    const browser = openBrowser();
    await browser.logIn(await newAccount());
    const answers = await Promise.all([browser.refresh(), browser.refresh()]);
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect((await callAs(body.access_token).get('/api/v3/me')).status).toBe(200);
    }
  });

  test('a browser session begins only with the right credentials, and the response reveals no more than POST /login', async () => {
    const account = await newAccount();
    const browser = openBrowser();
    const wrong = await browser.logIn({ ...account, password: 'wrong' });
    expect([wrong.status, wrong.body.message, browser.cookie()]).toEqual([
      401,
      'These credentials do not match our records.',
      '',
    ]);
    const unnamed = await callAs().post('/session', { password: 'x' }, fromPage);
    expect([unnamed.status, unnamed.body]).toEqual([422, { message: 'The email field is required.' }]);
  });

  test('the cookie does not authorize requests to the API', async () => {
    const browser = openBrowser();
    await browser.logIn(await newAccount());
    for (const path of everywhere)
      expect((await callAs().get(path, { ...fromPage, cookie: browser.cookie() })).body).toEqual(
        unauthorized,
      );
    const refreshed = await callAs().post('/api/v3/token/refresh', undefined, {
      ...fromPage,
      cookie: browser.cookie(),
    });
    expect(refreshed.body).toEqual(unauthorized);
  });

  test('a browser session is not available to a page of another site', async () => {
    const browser = openBrowser();
    await browser.logIn(await newAccount());
    const headers = { ...fromPage, cookie: browser.cookie() };
    const refused = await callAs().post('/session/refresh', undefined, {
      ...headers,
      origin: 'https://evil.example',
    });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only pages of this host may use its sessions.',
    ]);
    const form = await callAs().post('/session/refresh', undefined, { ...headers, 'x-requested-with': '' });
    expect([form.status, form.body.message]).toEqual([403, 'The header X-Requested-With must be gradeway.']);
    expect((await browser.refresh()).status).toBe(200);
  });
});
