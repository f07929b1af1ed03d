import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findChromium, launchOptions } from './chromium.ts';
import { PageWatch } from './pageWatch.ts';

// Tests the watch that all browser tests use: these pages deliberately do what it forbids.

const { baseUrl } = inject('system');

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(launchOptions(inject('chromium')));
});
afterAll(() => browser.close());

async function faultsOf(act: (page: Page, watch: PageWatch) => Promise<unknown>): Promise<string> {
  await using context = await browser.newContext({ baseURL: baseUrl });
  const watch = await PageWatch.of(context, baseUrl);
  const page = await context.newPage();
  await page.goto('/login');
  await act(page, watch);
  return (await watch.faults()).join('\n');
}

describe('the watch of every page', () => {
  test('the page watch reports nothing on a correct page', async () => {
    expect(await faultsOf((page) => page.getByRole('button', { name: 'Log in' }).waitFor())).toBe('');
  });

  test('the page watch reports an error in the console', async () => {
    expect(await faultsOf((page) => page.evaluate(() => console.error('a mistake')))).toContain('a mistake');
  });

  test('the page watch reports a dialog opened by a script', async () => {
    expect(await faultsOf((page) => page.evaluate(() => alert('injected')))).toContain('alert: injected');
  });

  test('the page watch reports an uncaught error', async () => {
    const act = (page: Page) =>
      page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            window.addEventListener('unhandledrejection', () => resolve());
            void Promise.reject(new Error('forgotten'));
          }),
      );
    expect(await faultsOf(act)).toContain('forgotten');
  });

  test('the page watch reports a violation of the Content-Security-Policy', async () => {
    const act = (page: Page) =>
      page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            document.addEventListener('securitypolicyviolation', () => resolve());
            document.body.insertAdjacentHTML('beforeend', '<p style="color: red">Styled</p>');
          }),
      );
    expect(await faultsOf(act)).toContain('violates style-src');
  });

  test('the page watch reports a request to another host', async () => {
    const act = (page: Page) => page.goto('http://other.invalid/').catch(() => {});
    expect(await faultsOf(act)).toContain('request to http://other.invalid/');
  });

  test('the page watch reports a failed request unless the test expects it', async () => {
    const act = (page: Page) => page.evaluate(() => fetch('/api/v3/me').then(({ status }) => status));
    expect(await faultsOf(act)).toContain('/api/v3/me failed: 401');
    const declared = (page: Page, watch: PageWatch) => {
      watch.expectFailure(401, /^\/api\/v3\/me$/);
      return act(page);
    };
    expect(await faultsOf(declared)).toBe('');
  });

  test('the page watch reports a request that should fail but does not', async () => {
    const act = async (_: Page, watch: PageWatch) => watch.expectFailure(500, /never/);
    expect(await faultsOf(act)).toContain('as the test expects');
  });
});

test('without a browser, the error says what to install', () => {
  expect(() => findChromium('/nowhere/chromium')).toThrow(
    'CHROME names /nowhere/chromium, which does not exist.',
  );
});
