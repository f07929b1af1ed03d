import { describe, expect, test } from 'vitest';
import { flatList, linkedList, linkedListWithPath, offsetOf, readPage } from '../../src/http/pagination.ts';

const limits = { size: 15, max: 100 };
const url = new URL('https://school.example/api/v3/list?course_id=7&per_page=2&page=2');

describe('the requested page', () => {
  test('the requested page defaults to the first one with the default size', () => {
    expect(readPage({}, limits)).toEqual({ number: 1, size: 15 });
  });

  test('the requested page is limited to the maximum size (D5)', () => {
    expect(readPage({ page: '3', per_page: '1000' }, limits)).toEqual({ number: 3, size: 100 });
  });

  test.each(['0', '-1', '1.5', 'x', '', ' 1', '1e3', '9'.repeat(30), ['1', '2']])(
    'the requested page cannot be %j',
    (page) => {
      expect(() => readPage({ page }, limits)).toThrow(
        expect.objectContaining({
          code: 'invalid',
          message: 'Invalid Data',
          fields: { page: [expect.any(String)] },
        }),
      );
    },
  );

  test('an invalid page is rejected with errors by field and the message of the list', () => {
    const read = () => readPage({ page: 'x', per_page: '0' }, { ...limits, message: 'ValidationError' });
    const fields = { page: ['The page must be an integer.'], per_page: ['The per page must be at least 1.'] };
    expect(read).toThrow(expect.objectContaining({ message: 'ValidationError', fields }));
  });

  test('a page past the end has no offset', () => {
    expect(offsetOf({ number: 3, size: 2 }, 5)).toBe(4);
    expect(offsetOf({ number: 4, size: 2 }, 5)).toBeUndefined();
    expect(offsetOf({ number: 1, size: 2 }, 0)).toBeUndefined();
  });
});

describe('the envelope with links', () => {
  test('the envelope of a middle page links to both neighbours and keeps the other parameters', () => {
    expect(linkedList({ url, page: { number: 2, size: 2 }, items: ['c', 'd'], total: 5 })).toEqual({
      data: ['c', 'd'],
      links: {
        first: 'https://school.example/api/v3/list?course_id=7&per_page=2&page=1',
        last: 'https://school.example/api/v3/list?course_id=7&per_page=2&page=3',
        prev: 'https://school.example/api/v3/list?course_id=7&per_page=2&page=1',
        next: 'https://school.example/api/v3/list?course_id=7&per_page=2&page=3',
      },
      meta: {
        current_page: 2,
        from: 3,
        last_page: 3,
        per_page: 2,
        to: 4,
        total: 5,
      },
    });
  });

  test('the envelope of an empty list has one empty page', () => {
    const { links, meta } = linkedList({ url, page: { number: 1, size: 2 }, items: [], total: 0 });
    expect(meta).toMatchObject({ current_page: 1, from: null, to: null, last_page: 1, total: 0 });
    expect([links.prev, links.next]).toEqual([null, null]);
  });

  test('the envelope of a page past the end links back to the last page', () => {
    const { links, meta } = linkedList({ url, page: { number: 9, size: 2 }, items: [], total: 5 });
    expect(meta).toMatchObject({ current_page: 9, from: null, to: null, last_page: 3 });
    expect(links).toMatchObject({ prev: expect.stringMatching(/page=3$/), next: null });
  });
});

test('the envelope of the quiz list also contains its path', () => {
  const { meta } = linkedListWithPath({ url, page: { number: 1, size: 2 }, items: ['a'], total: 1 });
  expect(meta).toMatchObject({ path: 'https://school.example/api/v3/list', total: 1 });
});

test('the flat envelope has all fields at the top level', () => {
  expect(flatList({ url, page: { number: 3, size: 2 }, items: ['e'], total: 5 })).toEqual({
    current_page: 3,
    data: ['e'],
    first_page_url: 'https://school.example/api/v3/list?course_id=7&per_page=2&page=1',
    from: 5,
    last_page: 3,
    last_page_url: 'https://school.example/api/v3/list?course_id=7&per_page=2&page=3',
    next_page_url: null,
    path: 'https://school.example/api/v3/list',
    per_page: 2,
    prev_page_url: 'https://school.example/api/v3/list?course_id=7&per_page=2&page=2',
    to: 5,
    total: 5,
  });
});
