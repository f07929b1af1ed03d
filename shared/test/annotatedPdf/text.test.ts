import type { GradeSummary, Mark } from '@gradeway/shared/annotatedPdf/mark';
import { plainPdf } from '@gradeway/test/plainPdf';
import { boundsOf, isColored, renderWithPoppler, textOf } from '@gradeway/test/renderedPage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRenderer, type TestRenderer } from './openRenderer.ts';

const texts: [script: string, text: string][] = [
  ['Latin with diacritics', 'Žluťoučký kůň, naïve façade, Ǆ ạ̈ ő'],
  ['Vietnamese', 'Phần này rất tốt'],
  ['Greek', 'Πολύ καλή δουλειά'],
  ['Cyrillic', 'Очень хорошая работа'],
  ['Arabic', 'أحسنت العمل'],
  ['Hebrew', 'עבודה טובה מאוד'],
  ['Devanagari', 'बहुत अच्छा काम'],
  ['Bengali', 'খুব ভালো'],
  ['Tamil', 'நன்று'],
  ['Thai', 'ทำได้ดีมาก'],
  ['Chinese', '做得很好，继续努力。'],
  ['Japanese', 'とても良い解答です'],
  ['Korean', '아주 잘했어요'],
  ['Georgian', 'ძალიან კარგი'],
  ['Armenian', 'Շատ լավ'],
  ['Amharic', 'በጣም ጥሩ'],
  ['mathematics', '∑ xᵢ ≤ √2 → ∞ ∈ ℝ'],
];

const words: [script: string, text: string][] = [
  ['Arabic', 'أحسنت العمل'],
  ['Hebrew', 'עבודה טובה מאוד'],
  ['Chinese', '做得很好'],
  ['Latin', 'Well done, naïve façade'],
];
const [joined, apart] = ['بببببببب', 'ب ب ب ب ب ب ب ب'];
const withoutFont = '\u{13000}\u{13000}\u{13000}';
const emoji = '🎉👍';

const written = [...[...texts, ...words].map(([, text]) => text), joined, apart, withoutFont, emoji];
let renderer: TestRenderer;
let path: string;
beforeAll(async () => {
  renderer = await openRenderer();
  path = await write(written.map((text) => ({ text })));
});
afterAll(() => renderer.close());

const pageOf = (text: string): number => written.indexOf(text) + 1;

/** Writes each text on its own page of one PDF: a render starts a process, which takes much longer than drawing. */
async function write(given: { text: string; rect?: Mark['rect'] }[]): Promise<string> {
  const file = await renderer.file(plainPdf(given.map(() => ({}))));
  const marks = given.map(({ text, rect = [100, 400, 300, 200] }, index): Mark => {
    return { fileId: file.id, page: index + 1, kind: 'text', rect, text, color: '#c00000' };
  });
  return renderer.render([file], marks);
}

// Extraction tools disagree about spaces, direction marks and the order of signs within a syllable.
const characters = (text: string) =>
  [...text.normalize('NFKC').replace(/[\s\p{Cf}]/gu, '')].toSorted().join('');

describe.each(texts)('text in %s', (_, text) => {
  test('text is shown, and can be searched and copied', async () => {
    expect(characters(await textOf(path, pageOf(text)))).toBe(characters(text));
    expect(boundsOf(await renderWithPoppler(path, pageOf(text)), isColored)).toBeDefined();
  });
});

test.each(words)('words in %s are extracted in the order in which they are read', async (_, text) => {
  const extracted = (await textOf(path, pageOf(text))).replace(/\p{Cf}/gu, '');
  expect(extracted.normalize('NFKC').trim().split(/\s+/)).toEqual(text.normalize('NFKC').split(' '));
});

test('Arabic letters are joined: the word is narrower than its letters', async () => {
  const widthOf = async (text: string) => {
    const bounds = boundsOf(
      await renderWithPoppler(path, pageOf(text), 144),
      ([red, green]) => red > 150 && green < 120,
    );
    return (bounds?.right ?? 0) - (bounds?.left ?? 0);
  };
  expect(await widthOf(joined)).toBeLessThan(0.7 * (await widthOf(apart)));
});

test('a character that no font has gets a visible glyph', async () => {
  const withCard = boundsOf(await renderWithPoppler(path, pageOf(withoutFont)), ([, green]) => green < 100);
  // More than the card's bar alone.
  expect((withCard?.right ?? 0) - (withCard?.left ?? 0)).toBeGreaterThan(15);
});

test('an emoji is shown', async () => {
  const bounds = boundsOf(await renderWithPoppler(path, pageOf(emoji)), ([, green]) => green < 100);
  expect((bounds?.right ?? 0) - (bounds?.left ?? 0)).toBeGreaterThan(20);
});

describe('hostile text stays on the page', () => {
  const marks = ['\u202e', '\u202d', '\u2067', '\u2066', '\u202b', '\u200f', '\u061c'];
  const hostile: [string, string][] = [
    ['10,000 characters without a space', 'W'.repeat(10_000)],
    [
      '10,000 direction marks and letters',
      Array.from({ length: 5_000 }, (_, at) => `${marks[at % marks.length]}xא`).join(''),
    ],
    ['10,000 combining marks', `a${'\u0301'.repeat(10_000)}`],
    ['3,000 lines', 'line\n'.repeat(3_000)],
    ['control characters and lone surrogates', '\u0000\u001b[31m\ud800 text \udfff\u0085\u2028end'],
  ];
  test.each(hostile)('hostile text stays on the page: %s', async (_, text) => {
    const hostilePath = await write([{ text }, { text, rect: [590, 5, 1, 1] }]);
    for (const page of [1, 2]) {
      const picture = await renderWithPoppler(hostilePath, page);
      const bounds = boundsOf(picture, isColored);
      expect(bounds?.left).toBeGreaterThanOrEqual(5);
      expect(bounds?.top).toBeGreaterThanOrEqual(5);
      expect(bounds?.right).toBeLessThanOrEqual(picture.width - 5);
      expect(bounds?.bottom).toBeLessThanOrEqual(picture.height - 5);
    }
  });
});

describe('the last page', () => {
  const summary: GradeSummary = {
    title: 'Algebra, midterm',
    student: 'Zoë Müller',
    grade: { points: '7.5000', total: '10' },
    rubric: {
      mode: 'subtract',
      lines: [
        { id: 1, points: '2.5', text: 'The sign is wrong', explanation: 'in the last step', selected: true },
        { id: 2, points: '0', text: 'Correct', selected: false },
      ],
      adjustment: '-0.5',
    },
    comment: 'Good work.\n\nPlease read section 3 again.',
  };
  const drawSummary = async (changed: Partial<GradeSummary> = {}) => {
    const file = await renderer.file(plainPdf([{}]));
    return renderer.render([file], [], { ...summary, ...changed });
  };

  test('the last page has the grade, the rubric with its points, the adjustment and the comment', async () => {
    const text = await textOf(await drawSummary(), 2);
    for (const part of [
      'Algebra, midterm',
      'Zoë Müller',
      '7.5',
      '/ 10',
      'The sign is wrong',
      'in the last step',
      '−2.5',
      '−0.5',
      'Good work.',
      'section 3',
    ])
      expect(text).toContain(part);
  });

  test('the last page has only the items that the grader selected', async () => {
    const text = await textOf(await drawSummary(), 2);
    expect(text).not.toContain('Correct');
  });

  test('the last page lists the questions with their points, items and comments', async () => {
    const questions = [
      { label: '1', title: 'Roots', points: '0', maxPoints: '4', items: [], comment: 'See page 2.' },
      { label: '2b', points: '5.5', maxPoints: '6', items: [{ text: 'No units', points: '-0.5' }] },
      { label: '3', points: null, maxPoints: '1', items: [] },
    ];
    // The distance between the words differs from that of a space.
    const text = (await textOf(await drawSummary({ questions }), 2)).replaceAll(' ', '');
    for (const part of [
      'Questions',
      'Roots',
      '0 / 4',
      'See page 2.',
      '2b',
      '5.5 / 6',
      'No units',
      '−0.5',
      '– / 1',
    ])
      expect(text).toContain(part.replaceAll(' ', ''));
  });

  test('the last page shows no grade before the grading', async () => {
    const text = await textOf(await drawSummary({ grade: null, rubric: null, comment: null }), 2);
    expect(text).toContain('Not graded yet');
    expect(text).not.toContain('Rubric');
    expect(text).not.toContain('Comment');
  });

  test('the summary is one page, however long its content', async () => {
    const long = 'This sentence is one of many in a long explanation. '.repeat(18);
    const lines = Array.from({ length: 100 }, (_, id) => ({
      id,
      points: '1',
      text: `Item ${id}`,
      explanation: long,
      selected: true,
    }));
    const longPath = await drawSummary({ rubric: { mode: 'add', lines }, comment: 'The very end' });
    expect(await textOf(longPath, 2)).toContain('Item 99');
    expect(await textOf(longPath, 2)).toContain('The very end');
    await expect(textOf(longPath, 3)).rejects.toThrow('page');
  });
});
