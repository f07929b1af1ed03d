import type { Mark } from '@gradeway/shared/annotatedPdf/mark';
import { type PlainPage, plainPdf } from '@gradeway/test/plainPdf';
import { boundsOf, isColored, type RenderedPage, renderWithPoppler } from '@gradeway/test/renderedPage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRenderer, type TestRenderer } from './openRenderer.ts';
import { renderWithPdfium } from './renderWithPdfium.ts';

const mediaBox = [50, -20, 450, 580] as const;
const cropBox = [90, 30, 400, 530] as const;
const rotations = [0, 90, 180, 270] as const;
type Rotation = (typeof rotations)[number];
type Rect = readonly [number, number, number, number];

const pages: [name: string, page: PlainPage][] = rotations.flatMap((rotate) => [
  [`a page rotated by ${rotate}`, { mediaBox, rotate }],
  [`a cropped page rotated by ${rotate}`, { mediaBox, cropBox, rotate }],
]);
const renderers: [name: string, render: (path: string, page?: number) => Promise<RenderedPage>][] = [
  ['pdftoppm', renderWithPoppler],
  ['PDFium', renderWithPdfium],
];

/**
 * The position in which readers see an annotation's rectangle, in points from the upper left, as the API defines them.
 */
function expectedBounds([x, y, width, height]: Rect, page: PlainPage) {
  const [left, bottom, right, top] = page.cropBox ?? mediaBox;
  const [pageWidth, pageHeight] = [right - left, top - bottom];
  const place = (atX: number, atY: number): [number, number] => {
    const [fromLeft, fromBottom] = [atX + mediaBox[0] - left, atY + mediaBox[1] - bottom];
    const turned: Record<Rotation, [number, number]> = {
      0: [fromLeft, pageHeight - fromBottom],
      90: [fromBottom, fromLeft],
      180: [pageWidth - fromLeft, fromBottom],
      270: [pageHeight - fromBottom, pageWidth - fromLeft],
    };
    return turned[page.rotate ?? 0];
  };
  const [[x1, y1], [x2, y2]] = [place(x, y), place(x + width, y + height)];
  return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
}

const rect: Rect = [120, 200, 60, 25];
const square: Rect = [150, 300, 30, 30];
const box: Rect = [120, 200, 110, 110];
const points = [
  [120, 200],
  [180, 200],
  [180, 225],
] as const;
const marks = {
  highlight: { kind: 'highlight', rect },
  pen: { kind: 'pen', rect, points, color: '#0000ff' },
  check: { kind: 'check', rect: square },
  cross: { kind: 'cross', rect: square },
  point: { kind: 'point', rect: square },
  text: { kind: 'text', rect: box, text: 'Please show how you found this.' },
} satisfies Record<string, Omit<Mark, 'fileId' | 'page'>>;
type Kind = keyof typeof marks;
const kinds = Object.keys(marks) as Kind[];

// One PDF has each mark on a copy of each page: a render starts a process, which takes much longer than drawing.
const drawn = pages.flatMap(([, page]) => kinds.map((kind) => ({ page, kind })));
let renderer: TestRenderer;
let path: string;
beforeAll(async () => {
  renderer = await openRenderer();
  const file = await renderer.file(plainPdf(drawn.map(({ page }) => page)));
  path = await renderer.render(
    [file],
    drawn.map(({ kind }, index) => ({ ...marks[kind], fileId: file.id, page: index + 1 })),
  );
});
afterAll(() => renderer.close());

const numberOf = (page: PlainPage, kind: Kind): number =>
  drawn.findIndex((each) => each.page === page && each.kind === kind) + 1;

describe.each(pages)('on %s', (_, page) => {
  test.each(renderers)('a highlight covers its rectangle, as %s shows it', async (_name, render) => {
    const bounds = boundsOf(await render(path, numberOf(page, 'highlight')), isColored);
    const expected = expectedBounds(rect, page);
    for (const side of ['left', 'top', 'right', 'bottom'] as const)
      expect(Math.abs((bounds?.[side] ?? Number.NaN) - expected[side]), side).toBeLessThanOrEqual(1);
  });

  test.each(renderers)('a pen goes through its points, as %s shows it', async (_name, render) => {
    const picture = await render(path, numberOf(page, 'pen'));
    for (const [x, y] of points) {
      const { left, top } = expectedBounds([x, y, 0, 0], page);
      const near = [-1, 0, 1].flatMap((dx) =>
        [-1, 0, 1].map((dy) => picture.at(Math.round(left) + dx, Math.round(top) + dy)),
      );
      expect(near.some(([red]) => red < 150)).toBe(true);
    }
    // The line is as far from the corner that it does not touch as its end points are.
    const inside = expectedBounds([125, 210, 20, 15], page);
    expect(boundsOf(crop(picture, inside), isColored)).toBeUndefined();
  });

  test.each(['check', 'cross', 'point'] as const)('a %s is inside its rectangle', async (kind) => {
    const bounds = boundsOf(await renderWithPoppler(path, numberOf(page, kind)), isColored);
    const expected = expectedBounds(square, page);
    expect(bounds?.left).toBeGreaterThanOrEqual(expected.left - 2);
    expect(bounds?.top).toBeGreaterThanOrEqual(expected.top - 2);
    expect(bounds?.right).toBeLessThanOrEqual(expected.right + 2);
    expect(bounds?.bottom).toBeLessThanOrEqual(expected.bottom + 2);
    expect((bounds?.right ?? 0) - (bounds?.left ?? 0)).toBeGreaterThan(15);
  });

  test('a check is upright for readers', async () => {
    const picture = await renderWithPoppler(path, numberOf(page, 'check'));
    const { left, top, right, bottom } = expectedBounds(square, page);
    const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
    const hasInk = (box: { left: number; top: number; right: number; bottom: number }) =>
      boundsOf(crop(picture, box), isColored) !== undefined;
    // Its long arm ends at the upper right; there is nothing at the upper left.
    expect(hasInk({ left: right - 6, top, right, bottom: middleY })).toBe(true);
    expect(hasInk({ left, top, right: middleX - 4, bottom: middleY - 6 })).toBe(false);
  });

  test('text is inside its rectangle', async () => {
    const bounds = boundsOf(await renderWithPoppler(path, numberOf(page, 'text')), isColored);
    const expected = expectedBounds(box, page);
    expect(bounds?.left).toBeGreaterThanOrEqual(expected.left - 1);
    expect(bounds?.top).toBeGreaterThanOrEqual(expected.top - 1);
    expect(bounds?.right).toBeLessThanOrEqual(expected.right + 1);
    expect(bounds?.bottom).toBeLessThanOrEqual(expected.bottom + 1);
    // For readers, the text begins at the left, and its lines are wider than they are high.
    expect((bounds?.left ?? 0) - expected.left).toBeLessThan(3);
  });
});

test('a mark outside the CropBox is not shown and does not move others', async () => {
  const page = { mediaBox, cropBox };
  const file = await renderer.file(plainPdf([page]));
  const mark = (rectangle: Rect): Mark => ({
    fileId: file.id,
    page: 1,
    kind: 'highlight',
    rect: rectangle,
  });
  const bounds = boundsOf(
    await renderWithPoppler(await renderer.render([file], [mark([0, 0, 20, 20]), mark(rect)])),
    isColored,
  );
  const expected = expectedBounds(rect, page);
  expect(Math.abs((bounds?.left ?? 0) - expected.left)).toBeLessThanOrEqual(1);
  expect(Math.abs((bounds?.bottom ?? 0) - expected.bottom)).toBeLessThanOrEqual(1);
});

function crop(
  picture: RenderedPage,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
): RenderedPage {
  const [x, y] = [Math.round(left), Math.round(top)];
  return {
    width: Math.round(right) - x,
    height: Math.round(bottom) - y,
    at: (atX, atY) => picture.at(x + atX, y + atY),
  };
}
