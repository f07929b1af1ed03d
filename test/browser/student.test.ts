import { readFile } from 'node:fs/promises';
import { plainPdf } from '@gradeway/test/plainPdf';
import { samplePdf } from '@gradeway/test/samplePdf';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { openBreakableConnection } from './breakableConnection.ts';
import { holdResponses } from './heldResponses.ts';
import { openAs } from './openWindow.ts';
import { handIn, newQuizOf, newStudentScene, sha256, storedSheet, takePhoto } from './studentScene.ts';
import { violations } from './violations.ts';

const uploadPath = /^\/api\/v3\/quiz\/submit-pdf$/;
const sheet = (bytes: Uint8Array = plainPdf([{}, {}])) => ({
  name: 'answers.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(bytes),
});

const iPhonePhoto = new URL('../support/photos/red-and-blue.heic', import.meta.url);

const cardOf = (page: Page, { title }: { title: string }) => page.getByRole('article', { name: title });
const receiptIn = (page: Page) => page.getByRole('region', { name: 'Receipt' });

/** Returns the ids of the receipts on the device. `add` stores one that is a year and a day old. */
const receiptsOnDevice = (page: Page, add?: string): Promise<IDBValidKey[]> =>
  page.evaluate(
    (id) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('gradeway-uploads');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('receipts', 'readwrite');
          const store = transaction.objectStore('receipts');
          const keptAt = Date.now() - 366 * 24 * 3_600_000;
          if (id) store.put({ id, receipt: { signed: null, content: null, files: [], keptAt } });
          const keys = store.getAllKeys();
          transaction.oncomplete = () => resolve(keys.result);
        };
      }),
    add,
  );

/** Records the idempotency keys of a page's uploads. */
function noteKeys(page: Page): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (uploadPath.test(new URL(request.url()).pathname)) keys.push(request.headers()['idempotency-key']);
  });
  return keys;
}

describe('photos', () => {
  test('photos of three pages become one PDF, which arrives once although the connection is lost twice', async () => {
    const { student, quiz } = await newStudentScene();
    const connection = await openBreakableConnection(inject('system').baseUrl);
    const { page, watch } = await openAs(student, '/my', { baseUrl: connection.baseUrl });
    const card = cardOf(page, quiz);
    await card.waitFor();
    const photos = [
      await takePhoto(page),
      await takePhoto(page, { width: 1600, height: 1200, orientation: 6 }),
      await takePhoto(page, { color: '#dde7f0' }),
    ];
    const keys = noteKeys(page);
    watch.expectFailure('no response', uploadPath);
    let lost = 0;
    page.on('requestfailed', (request) => {
      if (uploadPath.test(new URL(request.url()).pathname)) lost += 1;
    });

    const files = photos.map((buffer, index) => ({
      name: `IMG_${index + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer,
    }));
    await card.getByLabel('Answer sheet').setInputFiles(files);
    await expect.poll(() => card.getByRole('img', { name: /^Page \d$/ }).count()).toBe(3);
    await card.getByRole('button', { name: 'Rotate page 1' }).click();
    await card.getByRole('button', { name: 'Move page 3', exact: true }).press('ArrowUp');
    await card.getByText('Page 2 of 3').waitFor();
    await card.getByLabel('Grayscale').check();
    await card.getByRole('button', { name: 'Hand in', exact: true }).click();

    await page.getByText('There is no connection. The upload continues automatically.').first().waitFor();
    await expect.poll(() => lost, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    connection.mend();
    await receiptIn(page).waitFor();
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(new Set(keys).size).toBe(1);
    const stored = await storedSheet(quiz.id);
    expect(stored.pages).toBe(3);
    await receiptIn(page).getByText(stored.sha256).waitFor();
    await receiptIn(page).getByText('The school has exactly the file on this device.').waitFor();
  });

  test('photos from an iPhone become pages, and so does a long screenshot, which stays legible', async () => {
    const { student, quiz } = await newStudentScene();
    const { page } = await openAs(student, '/my');
    const card = cardOf(page, quiz);
    await card.waitFor();
    await card.getByLabel('Answer sheet').setInputFiles([
      { name: 'a.heic', mimeType: 'image/heic', buffer: await readFile(iPhonePhoto) },
      {
        name: 'b.jpg',
        mimeType: 'image/jpeg',
        buffer: await takePhoto(page, { width: 540, height: 6_000 }),
      },
    ]);
    await card.getByText('10 pages in one PDF').waitFor();
    await card.getByRole('button', { name: 'Hand in', exact: true }).click();
    await receiptIn(page).waitFor();
    const { pages, url } = await storedSheet(quiz.id);
    expect(pages).toBe(10);
    const stored = await (await fetch(url)).text();
    const widths = [...stored.matchAll(/\/Subtype \/Image[^>]*?\/Width (\d+)/g)].map(([, width]) =>
      Number(width),
    );
    expect(widths).toEqual([120, ...Array.from({ length: 9 }, () => 540)]);
  });

  test('photos are cropped with the keyboard, and a file that is not a photo is named', async () => {
    const { student, quiz } = await newStudentScene();
    const { page } = await openAs(student, '/my');
    const card = cardOf(page, quiz);
    await card.waitFor();
    const photo = await takePhoto(page);
    await card.getByLabel('Answer sheet').setInputFiles([
      { name: 'a.jpg', mimeType: 'image/jpeg', buffer: photo },
      { name: 'b.heic', mimeType: 'image/heic', buffer: Buffer.from('no photo') },
    ]);
    await card.getByText('b.heic cannot be read on this device.').waitFor();
    await card.getByRole('button', { name: 'Crop page 1' }).click();
    const edge = page.getByRole('slider', { name: 'Upper edge' });
    for (let press = 0; press < 2; press += 1) await edge.press('Shift+ArrowDown');
    expect(await edge.getAttribute('aria-valuenow')).toBe('20');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Crop' }).click();
    await card.getByRole('button', { name: 'Remove page 2' }).click();
    await card.getByRole('button', { name: 'Hand in', exact: true }).click();
    await receiptIn(page).waitFor();
    expect((await storedSheet(quiz.id)).pages).toBe(1);
  });
});

test('the questions are requested only when they are opened, which starts the time', async () => {
  const { student, quiz } = await newStudentScene();
  const window = await openAs(student, '/my');
  const { page, context } = window;
  const opened: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/api/v3/files/')) opened.push(request.url());
  });
  const card = cardOf(page, quiz);
  await card.getByText('Opening them starts your time: 45 minutes. It cannot be paused.').waitFor();
  await expect.poll(() => card.getByRole('timer').textContent()).toMatch(/^1:\d\d:\d\d$/);
  await page.reload();
  await card.waitFor();
  expect(opened).toEqual([]);
  await card.getByRole('link', { name: 'Open the questions' }).click();
  const start = page.getByRole('dialog', { name: `Start ${quiz.title}?` });
  await start.getByRole('button', { name: 'Not yet' }).click();
  await start.waitFor({ state: 'detached' });
  expect(opened).toEqual([]);
  await card.getByRole('link', { name: 'Open the questions' }).click();
  expect(await violations(page)).toEqual([]);
  const questions = context.waitForEvent('page');
  await start.getByRole('link', { name: 'Open the questions' }).click();
  await (await questions).close();
  await card.getByRole('link', { name: 'Questions', exact: true }).waitFor();
  await expect.poll(() => card.getByRole('timer').textContent()).toMatch(/^4[45]:\d\d$/);
});

test('the browser finds the icon that it requests for a PDF in its own tab', async () => {
  const { student } = await newStudentScene();
  const { page } = await openAs(student, '/my');
  const { status, type } = await page.evaluate(async () => {
    const answer = await fetch('/favicon.ico');
    return { status: answer.status, type: answer.headers.get('content-type') };
  });
  expect({ status, type }).toEqual({ status: 200, type: 'image/x-icon' });
});

test('a PDF is handed in after a preview of its first page, and the school verifies the downloaded receipt', async () => {
  const { student, quiz } = await newStudentScene();
  const { page } = await openAs(student, '/my');
  const file = sheet();
  await cardOf(page, quiz).getByLabel('Answer sheet').setInputFiles(sheet());
  const question = page.getByRole('dialog', { name: `Hand in ${quiz.title}?` });
  await question.getByRole('img', { name: 'Page 1' }).locator('canvas').waitFor();
  await question.getByText('2 pages. This is the first one:').waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect((await student.get('/api/v3/quiz/submissions')).body.data).toEqual([]);
  await handIn(cardOf(page, quiz), file);
  await receiptIn(page).waitFor();
  expect((await storedSheet(quiz.id)).sha256).toBe(sha256(file.buffer));
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download receipt' }).click();
  const { receipt } = JSON.parse(await readFile(await (await download).path(), 'utf8'));
  const verified = await student.post('/api/v3/receipts/verify', { receipt });
  expect(verified.body.data).toMatchObject({ kind: 'quiz', files: [{ sha256: sha256(file.buffer) }] });
  const handedIn = page.getByRole('region', { name: 'Handed in' });
  await cardOf(page, quiz).and(handedIn.getByRole('article')).waitFor();
});

test('the confirmation and the receipt say that graders see only the cover of a portfolio', async () => {
  const { student, quiz } = await newStudentScene();
  const { page } = await openAs(student, '/my');
  const card = cardOf(page, quiz);
  const notice = 'answers.pdf is a portfolio. Graders see only its cover page';
  await card.getByLabel('Answer sheet').setInputFiles(sheet(await samplePdf('portfolio')));
  const question = page.getByRole('dialog');
  await question.getByText(notice).waitFor();
  await question.getByRole('button', { name: 'Hand in', exact: true }).click();
  await receiptIn(page).getByText(notice).waitFor();
  expect((await storedSheet(quiz.id)).pages).toBe(2);
});

test('a device keeps the receipts of all users for a year', async () => {
  const { student, quiz } = await newStudentScene();
  const { page } = await openAs(student, '/my');
  await handIn(cardOf(page, quiz), sheet());
  await receiptIn(page).waitFor();
  const own = `${student.id}.quizzes.${quiz.id}`;
  expect(await receiptsOnDevice(page, '1.quizzes.1')).toEqual(expect.arrayContaining([own, '1.quizzes.1']));
  await page.reload();
  await expect.poll(() => receiptsOnDevice(page)).toEqual([own]);
});

test('homework is handed in as several PDFs and then replaced', async () => {
  const { student, homework } = await newStudentScene();
  const { page } = await openAs(student, '/my');
  const card = cardOf(page, homework);
  await handIn(card, [sheet(), { ...sheet(plainPdf([{}])), name: 'more.pdf' }]);
  await receiptIn(page).getByText('more.pdf').waitFor();
  await card.getByText('Hand in again').click();
  await handIn(card, { ...sheet(), name: 'better.pdf' });
  await receiptIn(page).getByText('better.pdf').waitFor();
  const { data } = (await student.get('/api/v3/homeworks')).body;
  expect(data[0].submission.files.map(({ name }: { name: string }) => name)).toEqual(['better.pdf']);
});

describe('an upload', () => {
  test('an upload continues after a reload with the same key', async () => {
    const { student, quiz } = await newStudentScene();
    const { page, watch } = await openAs(student, '/my');
    const keys = noteKeys(page);
    watch.allowFailure('no response', uploadPath);
    // The upload never arrives. Removing the route would let it arrive before or after the reload.
    let isOpen = false;
    await page.route('**/api/v3/quiz/submit-pdf', (route) => (isOpen ? route.fallback() : undefined));
    await handIn(cardOf(page, quiz), sheet());
    await expect.poll(() => keys.length).toBe(1);
    await page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
    isOpen = true;
    await page.reload();
    await receiptIn(page).waitFor();
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
  });

  test('an upload is sent by one tab, and both show its receipt', async () => {
    const { student, quiz } = await newStudentScene();
    const { page, context } = await openAs(student, '/my');
    const keys = noteKeys(page);
    const held = await holdResponses(page, 'POST', uploadPath);
    await handIn(cardOf(page, quiz), sheet());
    await expect.poll(() => held.waiting.length).toBe(1);
    const other = await context.newPage();
    const otherKeys = noteKeys(other);
    await other.goto('/my');
    await other.getByText('The upload continues.').first().waitFor();
    await held.releaseAll();
    await receiptIn(page).waitFor();
    await receiptIn(other).waitFor();
    expect([keys.length, otherKeys.length]).toEqual([1, 0]);
  });

  test('an upload survives the expiry of its token', async () => {
    const { student, quiz } = await newStudentScene();
    const { page, watch } = await openAs(student, '/my');
    watch.expectFailure(401, uploadPath);
    let refused = false;
    await page.route('**/api/v3/quiz/submit-pdf', (route) => {
      if (refused) return route.continue();
      refused = true;
      return route.fulfill({ status: 401, json: { message: 'UnauthorizedRequest', errors: null } });
    });
    await handIn(cardOf(page, quiz), sheet());
    await receiptIn(page).waitFor();
  });

  test('a rejected upload explains why and what to do, and another file can be chosen', async () => {
    const { student, quiz } = await newStudentScene();
    const { page, watch } = await openAs(student, '/my');
    watch.expectFailure(422, uploadPath);
    const card = cardOf(page, quiz);
    await handIn(card, sheet(Buffer.from('%PDF-1.7 and nothing else')));
    await card.getByRole('alert').getByText('This is not a PDF that can be read').waitFor();
    await card.getByRole('alert').getByText('Save it as a PDF again').waitFor();
    await handIn(card, sheet());
    await receiptIn(page).waitFor();
  });

  test('a cancelled upload leaves nothing behind', async () => {
    const { student, quiz } = await newStudentScene();
    const { page, watch } = await openAs(student, '/my');
    watch.allowFailure('no response', uploadPath);
    const keys = noteKeys(page);
    await page.route('**/api/v3/quiz/submit-pdf', () => {});
    const card = cardOf(page, quiz);
    await handIn(card, sheet());
    await expect.poll(() => keys.length).toBe(1);
    await card.getByRole('button', { name: 'Cancel the upload' }).click();
    await card.getByLabel('Answer sheet').waitFor();
    await page.unroute('**/api/v3/quiz/submit-pdf');
    await page.reload();
    await card.getByLabel('Answer sheet').waitFor();
    expect(keys).toHaveLength(1);
  });
});

test('open, upcoming, submitted and missed work is listed in separate sections', async () => {
  const { student, courseId, quiz, homework } = await newStudentScene();
  const [later, past] = await Promise.all([
    newQuizOf(courseId, { opens: 60, closes: 180 }),
    newQuizOf(courseId, { opens: -180, closes: -60 }),
  ]);
  const { page } = await openAs(student, '/my');
  const titlesIn = (section: string) =>
    page
      .getByRole('region', { name: section, exact: true })
      .getByRole('heading', { level: 3 })
      .allTextContents();
  await cardOf(page, quiz).waitFor();
  expect(await titlesIn('To hand in')).toEqual([quiz.title, homework.title]);
  expect(await titlesIn('Coming up')).toEqual([later.title]);
  expect(await titlesIn('Missed')).toEqual([past.title]);
  await handIn(cardOf(page, quiz), sheet());
  await expect.poll(() => titlesIn('Handed in')).toEqual([quiz.title]);
});

describe('while quizzes cannot be listed', () => {
  const openWithoutQuizzes = async (student: Parameters<typeof openAs>[0]) => {
    const { page, watch } = await openAs(student, '/login');
    watch.expectFailure(503, /^\/api\/v3\/quiz\//);
    await page.route('**/api/v3/quiz/**', (route) =>
      route.fulfill({ status: 503, json: { message: 'Service Unavailable', errors: null } }),
    );
    await page.goto('/my');
    return page;
  };

  test('homework can be handed in while quizzes cannot be listed', async () => {
    const { student, homework } = await newStudentScene();
    const page = await openWithoutQuizzes(student);
    await handIn(cardOf(page, homework), sheet());
    await receiptIn(page).waitFor();
  });

  test('the page names the part that failed to load and shows it once it is available again', async () => {
    const { student, quiz } = await newStudentScene();
    const page = await openWithoutQuizzes(student);
    await page.getByRole('alert').getByText('Part of this page is missing.').waitFor();
    await page.unroute('**/api/v3/quiz/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await cardOf(page, quiz).waitFor();
  });
});
