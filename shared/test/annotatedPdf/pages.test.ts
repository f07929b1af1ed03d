import { readdir } from 'node:fs/promises';
import { makePdf } from '@gradeway/local/demoPdf';
import type { Mark } from '@gradeway/shared/annotatedPdf/mark';
import { FileMissingError } from '@gradeway/shared/files/fileStore';
import { plainPdf } from '@gradeway/test/plainPdf';
import { boundsOf, isColored, renderWithPoppler, textOf } from '@gradeway/test/renderedPage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRenderer, type TestRenderer } from './openRenderer.ts';

let renderer: TestRenderer;
beforeAll(async () => {
  renderer = await openRenderer();
});
afterAll(() => renderer.close());

const labelled = (label: string) => ({ content: `BT /F1 24 Tf 100 700 Td (${label}) Tj ET` });
const highlight = (fileId: number, page: number, rect: Mark['rect'] = [20, 20, 30, 30]): Mark => ({
  fileId,
  page,
  kind: 'highlight',
  rect,
});
const isYellow = ([red, , blue]: readonly [number, number, number]) => red > 200 && blue < 200;

test('an annotated PDF has all files in order, each with its marks, and the summary as its last page', async () => {
  const first = await renderer.file(plainPdf([labelled('One'), labelled('Two')]));
  const second = await renderer.file(plainPdf([labelled('Three')]));
  const third = await renderer.file(plainPdf([labelled('Four'), labelled('Five')]));
  const summary = { title: 'Algebra', grade: { points: '7', total: '10' } };
  const path = await renderer.render(
    [third, first, second],
    [highlight(first.id, 2), highlight(second.id, 1)],
    summary,
  );
  const texts = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => textOf(path, page)));
  expect(texts.slice(0, 5).map((text) => text.trim())).toEqual(['Four', 'Five', 'One', 'Two', 'Three']);
  expect(texts[5]).toContain('Algebra');
  await expect(textOf(path, 7)).rejects.toThrow('page');
  const marked = await Promise.all(
    [1, 2, 3, 4, 5].map(
      async (page) => boundsOf(await renderWithPoppler(path, page), isYellow) !== undefined,
    ),
  );
  expect(marked).toEqual([false, false, false, true, true]);
});

test('an annotation by the student does not cover a mark and is still shown', async () => {
  const cover = '<</Type/Annot/Subtype/Square/Rect[100 100 300 300]/IC[0 0 1]/C[0 0 1]/F 4>>';
  const file = await renderer.file(plainPdf([{ annotations: [cover] }]));
  const cross: Mark = {
    fileId: file.id,
    page: 1,
    kind: 'cross',
    rect: [150, 150, 60, 60],
    color: '#ff0000',
  };
  const picture = await renderWithPoppler(await renderer.render([file], [cross]));
  expect(picture.at(110, 842 - 110)).toEqual([0, 0, 255]);
  expect(picture.at(180, 842 - 180)[0]).toBeGreaterThan(200);
});

test('marks are in the right place even if the page content leaves a changed transformation matrix', async () => {
  const file = await renderer.file(plainPdf([{ content: '0.5 0 0 0.5 200 100 cm q 2 0 0 2 0 0 cm' }]));
  const picture = await renderWithPoppler(
    await renderer.render([file], [highlight(file.id, 1, [50, 60, 40, 20])]),
  );
  const bounds = boundsOf(picture, isColored);
  expect([bounds?.left, bounds?.right]).toEqual([50, 90]);
  expect([bounds?.top, bounds?.bottom]).toEqual([842 - 80, 842 - 60]);
});

test('pages that inherit their size, rotation and resources keep them when any of the pages is marked', async () => {
  const file = await renderer.file(inheritingPages());
  const before = await Promise.all([1, 2].map((page) => renderWithPoppler(file.key, page)));
  for (const marked of [1, 2]) {
    const path = await renderer.render([file], [highlight(file.id, marked)]);
    for (const [index, { width, height }] of before.entries()) {
      const after = await renderWithPoppler(path, index + 1);
      expect([after.width, after.height]).toEqual([width, height]);
      expect(boundsOf(after, isYellow) !== undefined).toBe(index + 1 === marked);
      expect(await textOf(path, index + 1)).toContain(index === 0 ? 'First' : 'Second');
    }
  }
});

test.each([
  ['without marks', []],
  ['beside its marks', [[300, 300, 40, 40]]],
] as const)('a page is shown as before %s, whatever its content', async (_, rects) => {
  const file = await renderer.file(variedPage());
  const marks = rects.map((rect) => highlight(file.id, 1, rect));
  const path = await renderer.render([file], marks);
  const [before, after] = [await renderWithPoppler(file.key), await renderWithPoppler(path)];
  for (let y = 0; y < before.height; y += 1)
    for (let x = 0; x < before.width; x += 1) {
      const isMarked = marks.length > 0 && x >= 299 && x <= 341 && y >= 59 && y <= 101;
      if (!isMarked) expect(after.at(x, y), `${x}, ${y}`).toEqual(before.at(x, y));
    }
  expect(await textOf(path)).toBe(await textOf(file.key));
});

describe('a file cannot be annotated', () => {
  const whole = plainPdf([labelled('One'), labelled('Two')]);
  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['when it requires a password', () => makePdf('Secret', { password: 'hidden' })],
    ['when its end is missing', () => whole.subarray(0, 300)],
    ['when it is not a PDF', () => Buffer.from('<html></html>')],
    [
      'when the marked page is damaged',
      () => plainPdf([labelled('One'), labelled('Two')], { damagedPage: 1 }),
    ],
    ['when the marked page is missing', () => plainPdf([labelled('One')])],
  ])('%s', async (_, make) => {
    const file = await renderer.file(await make());
    await expect(renderer.render([file], [highlight(file.id, 2)])).rejects.toMatchObject({
      code: 'conflict',
      message: 'The file cannot be annotated',
    });
    expect(await readdir(renderer.uploads)).toEqual([]);
  });

  test('a file whose rendering exceeds the limits of a check cannot be annotated', async () => {
    const hasty = await openRenderer({ cpuSeconds: 0.05 });
    const file = await hasty.file(plainPdf(Array.from({ length: 400 }, () => labelled('Page'))));
    const marks = Array.from({ length: 400 }, (_, index) => highlight(file.id, index + 1));
    await expect(hasty.render([file], marks)).rejects.toMatchObject({ code: 'conflict' });
    await hasty.close();
  });
});

test.each([
  ['that cannot be read makes the rendering unavailable', new Error('EIO'), 'unavailable'],
  ['that the store has lost is not found', new FileMissingError('key'), 'not_found'],
])('a file %s', async (_, failure, code) => {
  const failing = await openRenderer({ open: async () => Promise.reject(failure) });
  const file = await failing.file(plainPdf([labelled('One')]));
  await expect(failing.render([file], [])).rejects.toMatchObject({ code });
  expect(await readdir(failing.uploads)).toEqual([]);
  await failing.close();
});

test('a student with several renders waits for the renders of other students', async () => {
  const file = await renderer.file(plainPdf([labelled('One')]));
  const drawn: number[] = [];
  const draw = async (studentId: number) => {
    await using _ = await renderer.renderer.render({ studentId, files: [file], marks: [], summary: null });
    drawn.push(studentId);
  };
  await Promise.all([1, 1, 1, 2, 3].map(draw));
  expect(drawn).toEqual([1, 2, 3, 1, 1]);
});

test('a closed renderer is unavailable', async () => {
  const closing = await openRenderer();
  const file = await closing.file(plainPdf([labelled('One')]));
  closing.renderer.close();
  await expect(closing.render([file], [])).rejects.toMatchObject({ code: 'unavailable' });
  await closing.close();
});

function inheritingPages(): Buffer {
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[10 20 910 420]/Rotate 90
/Resources<</Font<</F1 7 0 R/F2 8 0 R>>>>>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[<</Type/Annot/Subtype/Square/Rect[500 100 550 150]/C[0 0 1]/F 4>>]>>endobj
4 0 obj<</Type/Page/Parent 2 0 R/Contents 6 0 R>>endobj
5 0 obj<</Length 40>>stream
BT /F1 18 Tf 60 200 Td (First) Tj ET    
endstream
endobj
6 0 obj<</Length 40>>stream
BT /F2 18 Tf 60 200 Td (Second) Tj ET   
endstream
endobj
7 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
8 0 obj<</Type/Font/Subtype/Type1/BaseFont/Courier>>endobj
trailer<</Root 1 0 R>>`);
}

/** Contains shading, a pattern, a separation, a clip, dashes and a form that uses the resources of its page. */
function variedPage(): Buffer {
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources<</XObject<</Form 5 0 R>>/Font<</F1 6 0 R>>
/Shading<</S1 7 0 R>>/Pattern<</P1 8 0 R>>/ColorSpace<</Spot[/Separation/Green/DeviceCMYK 9 0 R]>>>>>>endobj
4 0 obj<</Length 218>>stream
/Form Do
q 20 20 100 100 re W n /S1 sh Q
/Pattern cs /P1 scn 140 20 100 100 re f
/Spot cs 0.8 scn 260 20 50 100 re f 0 1 0 0.2 k 320 20 50 100 re f
q [6 3] 0 d 3 w 0.2 0.4 0 0 K 20 300 m 150 350 250 250 380 380 c S Q
endstream
endobj
5 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 400 400]/Length 48>>stream
BT /F1 18 Tf 60 200 Td (Inside a form) Tj ET    
endstream
endobj
6 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
7 0 obj<</ShadingType 2/ColorSpace/DeviceRGB/Coords[20 20 120 120]/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>>>endobj
8 0 obj<</PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<<>>/Length 34>>stream
0 0.6 0 rg 0 0 5 5 re 5 5 5 5 re f
endstream
endobj
9 0 obj<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[1 0 1 0]/N 1>>endobj
trailer<</Root 1 0 R>>`);
}
