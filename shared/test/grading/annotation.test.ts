import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Annotation, placeErrors } from '../../src/grading/annotation.ts';
import { annotationsSchema } from '../../src/grading/annotationSchema.ts';

const given = (change: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  file_id: 7,
  page: 1,
  kind: 'check',
  rect: [10, 20, 30, 40],
  ...change,
});
const isValid = (...list: unknown[]) => annotationsSchema.safeParse(list).success;
const pairs = (length: number) => Array.from({ length }, () => [1, 1]);

describe('the fields of annotations', () => {
  test('fields of an annotation that are absent or empty are null', () => {
    const [mark] = annotationsSchema.parse([given({ text: '', color: null })]);
    expect(mark).toMatchObject({ points: null, text: null, color: null, itemId: null });
  });

  test.each([
    ['a text', { kind: 'text', text: 'Why?' }],
    ['the largest text', { kind: 'text', text: '🙂'.repeat(500) }],
    ['a pen of two points', { kind: 'pen', points: pairs(2) }],
    ['a pen of 2,000 points', { kind: 'pen', points: pairs(2_000) }],
    ['a mark without size', { rect: [0, 0, 0, 0] }],
    ['decimals', { rect: [0.5, 1.25, 0.001, 3] }],
    ['a color', { color: '#00FFaa' }],
    ['an item', { item_id: 3 }],
  ])('an annotation is valid: %s', (_, change) => {
    expect(isValid(given(change))).toBe(true);
  });

  test.each([
    ['no id', { id: undefined }],
    ['an id that is not a UUID', { id: '7' }],
    ['no file', { file_id: undefined }],
    ['page 0', { page: 0 }],
    ['half a page', { page: 1.5 }],
    ['an unknown kind', { kind: 'stamp' }],
    ['three numbers for a rectangle', { rect: [1, 2, 3] }],
    ['a negative width', { rect: [1, 2, -3, 4] }],
    ['a text instead of a number', { rect: ['1', 2, 3, 4] }],
    ['a pen without points', { kind: 'pen' }],
    ['a pen of one point', { kind: 'pen', points: pairs(1) }],
    ['a pen of 2,001 points', { kind: 'pen', points: pairs(2_001) }],
    ['points that are not pairs', { kind: 'pen', points: [[1, 2], [3]] }],
    ['a text without text', { kind: 'text' }],
    ['an empty text', { kind: 'text', text: '' }],
    ['a text of 501 characters', { kind: 'text', text: 'x'.repeat(501) }],
    ['a text that cannot be stored', { kind: 'text', text: 'a\0b' }],
    ['a color by name', { color: 'red' }],
    ['an item without a number', { item_id: 'a' }],
    ['a list instead of an object', []],
  ])('an annotation is invalid: %s', (_, change) => {
    expect(isValid(Array.isArray(change) ? change : given(change))).toBe(false);
  });

  test('the id of an annotation may occur only once, ignoring case', () => {
    const id = randomUUID();
    expect(isValid(given({ id }), given({ id: id.toUpperCase() }))).toBe(false);
  });

  test('500 annotations are valid, 501 are not', () => {
    const list = Array.from({ length: 501 }, () => given());
    expect(isValid(...list.slice(1))).toBe(true);
    expect(isValid(...list)).toBe(false);
  });

  test('annotations of more than 256 KiB as JSON are invalid', () => {
    const long = () => given({ kind: 'pen', points: pairs(2_000).map(() => [100.25, 200.75]) });
    const bytes = JSON.stringify(long()).length + 1;
    const most = Math.floor((256 * 1024) / bytes);
    expect(isValid(...Array.from({ length: most }, long))).toBe(true);
    expect(isValid(...Array.from({ length: most + 1 }, long))).toBe(false);
  });

  test.each([[null], ['x'], [{}], [7]])('%j is no list of annotations', (value) => {
    expect(annotationsSchema.safeParse(value).success).toBe(false);
  });
});

describe('the positions of annotations', () => {
  const files = [{ id: 7, name: 'answers.pdf', sizes: [[595, 842] as [number, number]] }];
  const mark = (change: Partial<Annotation> = {}): Annotation => ({
    id: randomUUID(),
    fileId: 7,
    page: 1,
    kind: 'pen',
    rect: [0, 0, 595, 842],
    points: [
      [0, 0],
      [595, 842],
    ],
    text: null,
    color: null,
    itemId: null,
    ...change,
  });
  const errors = (change: Partial<Annotation>) =>
    placeErrors([mark(change)], files, [{ id: 5, name: 'old.pdf' }]);

  test('a mark may touch every edge of its page', () => {
    expect(errors({})).toEqual([]);
  });

  test.each([
    ['another file is named', { fileId: 9 }, /file 9, which does not belong to the submission/],
    ['a replaced file is named', { fileId: 5 }, /file 5 \(old\.pdf\), which was replaced/],
    ['a page that is not there is named', { page: 2 }, /page 2 of answers\.pdf, which has 1 pages/],
    ['a mark left of the page is outside', { rect: [-1, 0, 2, 2] }, /outside page 1 of answers\.pdf/],
    [
      'a mark that extends beyond the right edge of the page is outside',
      { rect: [590, 0, 6, 2] },
      /outside page 1/,
    ],
    ['a mark that ends above the page is outside', { rect: [0, 840, 2, 3] }, /outside page 1/],
    [
      'a point outside the page is outside',
      {
        points: [
          [1, 1],
          [1, 900],
        ],
      },
      /outside page 1/,
    ],
  ] as [string, Partial<Annotation>, RegExp][])('%s', (_, change, message) => {
    expect(errors(change)).toEqual([expect.stringMatching(message)]);
  });
});
