import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AppError } from '../../src/errors/appError.ts';
import { gradingSchema } from '../../src/grading/gradingSchema.ts';
import { formatCursor, parseCursor } from '../../src/grading/queueCursor.ts';
import { rubricSchema } from '../../src/grading/rubricSchema.ts';
import { nextSchema, parseBody } from '../../src/grading/schemas.ts';

const item = (change: Record<string, unknown> = {}) => ({ points: 1, text: 'Correct', ...change });
const rubric = (change: Record<string, unknown> = {}) => ({
  mode: 'add',
  max_points: 10,
  items: [item()],
  ...change,
});

/** The names of the invalid fields. */
function invalidFields(schema: z.ZodType, input: unknown): string[] {
  try {
    parseBody(schema, input);
    return [];
  } catch (error) {
    return Object.keys((error as AppError).fields ?? {});
  }
}

describe('a rubric', () => {
  const schema = rubricSchema();

  test('the points of a rubric are read as exact decimals, and absent fields as null', () => {
    const items = [item({ points: '0.3', key: '', group: null })];
    expect(parseBody(schema, rubric({ max_points: 99.9999, items }))).toEqual({
      mode: 'add',
      maxPoints: 999_999,
      minPoints: 0,
      items: [{ id: null, points: 3_000, text: 'Correct', explanation: null, group: null, key: null }],
    });
  });

  test.each([
    ['another mode', rubric({ mode: 'multiply' }), 'mode'],
    ['no maximum', rubric({ max_points: undefined }), 'max_points'],
    ['a maximum of 0', rubric({ max_points: 0 }), 'max_points'],
    ['a maximum of a million', rubric({ max_points: 1_000_000 }), 'max_points'],
    ['a minimum below 0', rubric({ min_points: -1 }), 'min_points'],
    ['a minimum above the maximum', rubric({ min_points: 11 }), 'min_points'],
    ['no items', rubric({ items: undefined }), 'items'],
    ['an empty list', rubric({ items: [] }), 'items'],
    ['101 items', rubric({ items: Array.from({ length: 101 }, () => item()) }), 'items'],
    ['an item that is not an object', rubric({ items: ['x'] }), 'items'],
    ['negative points', rubric({ items: [item({ points: -1 })] }), 'items'],
    ['five decimals', rubric({ items: [item({ points: 0.00001 })] }), 'items'],
    ['more than a million points', rubric({ items: [item({ points: 1_000_000.1 })] }), 'items'],
    ['no text', rubric({ items: [item({ text: '' })] }), 'items'],
    ['a text of 501 characters', rubric({ items: [item({ text: 'x'.repeat(501) })] }), 'items'],
    [
      'an explanation of 1,001 characters',
      rubric({ items: [item({ explanation: 'x'.repeat(1_001) })] }),
      'items',
    ],
    ['a group of 101 characters', rubric({ items: [item({ group: 'x'.repeat(101) })] }), 'items'],
    ['a key of two characters', rubric({ items: [item({ key: 'ab' })] }), 'items'],
    ['a key used twice', rubric({ items: [item({ key: 'a' }), item({ key: 'a' })] }), 'items'],
    ['an id used twice', rubric({ items: [item({ id: 1 }), item({ id: 1 })] }), 'items'],
  ])('with %s is invalid in %s', (_, input, field) => {
    expect(invalidFields(schema, input)).toEqual([field]);
  });

  test('the maximum of a homework rubric is 10', () => {
    expect(invalidFields(rubricSchema(10), rubric())).toEqual([]);
    expect(invalidFields(rubricSchema(10), rubric({ max_points: 9 }))).toEqual(['max_points']);
  });
});

describe('a grading', () => {
  const schema = gradingSchema({ grade: z.number(), totalGrade: z.number() });

  test('an absent comment keeps the earlier one, and null or an empty comment clears it', () => {
    expect(parseBody(schema, { grade: 1 }).comment).toBeUndefined();
    expect(parseBody(schema, { grade: 1, comment: null }).comment).toBeNull();
    expect(parseBody(schema, { grade: 1, comment: '' }).comment).toBeNull();
  });

  test.each([
    ['a grade and a selection', { grade: 1, selection: [], rubric_revision: 1 }, 'selection'],
    ['a selection without a revision', { selection: [] }, 'rubric_revision'],
    ['an adjustment without a selection', { grade: 1, adjustment: 1 }, 'adjustment'],
    ['a total without a grade', { total_grade: 10 }, 'grade'],
    ['a selection with an id twice', { selection: [1, 1], rubric_revision: 1 }, 'selection'],
    ['a selection that is not a list', { selection: 1, rubric_revision: 1 }, 'selection'],
    ['an id that is not an integer', { selection: ['1'], rubric_revision: 1 }, 'selection'],
    [
      'an adjustment above a million',
      { selection: [], rubric_revision: 1, adjustment: 1_000_001 },
      'adjustment',
    ],
    [
      'an adjustment of five decimals',
      { selection: [], rubric_revision: 1, adjustment: 0.00001 },
      'adjustment',
    ],
    ['a comment of 1,001 characters', { grade: 1, comment: 'x'.repeat(1_001) }, 'comment'],
    ['annotations that are not a list', { annotations: {} }, 'annotations'],
  ])('with %s is invalid in %s', (_, input, field) => {
    expect(invalidFields(schema, input)).toEqual([field]);
  });

  test('the total in a grading is ignored where it is fixed', () => {
    expect(
      parseBody(gradingSchema({ grade: z.number() }), { grade: 1, total_grade: 5 }).totalGrade,
    ).toBeUndefined();
  });
});

test('the body of next is optional, and skips at most 200', () => {
  const ids = (length: number) => Array.from({ length }, (_, index) => index + 1);
  expect(parseBody(nextSchema, undefined)).toEqual({ skip: [] });
  expect(parseBody(nextSchema, { skip: ids(200) }).skip).toHaveLength(200);
  expect(invalidFields(nextSchema, { skip: ids(201) })).toEqual(['skip']);
  expect(invalidFields(nextSchema, { skip: 'all' })).toEqual(['skip']);
});

describe('a cursor', () => {
  const filter = { status: 'all' as const, search: '' };
  const place = { key: '2026-11-21T10:15:00.123456Z', id: 7 };
  const item = (id: number) => ({ id, order: 'arrival' as const });
  const cursor = formatCursor(1, filter, place);

  test('a cursor encodes its position', () => {
    expect(parseCursor(item(1), filter, cursor)).toEqual({ ...place, order: 'arrival' });
  });

  test('a cursor keeps its order when the order of the item changes', () => {
    const shuffled = { key: 'K7QF', id: 7 };
    expect(parseCursor(item(1), filter, formatCursor(1, filter, shuffled))).toEqual({
      ...shuffled,
      order: 'shuffled',
    });
    expect(parseCursor({ id: 1, order: 'shuffled' }, filter, cursor)).toMatchObject({ order: 'arrival' });
  });

  test.each([
    ['of another item', 2, filter, cursor],
    ['of another status', 1, { ...filter, status: 'graded' as const }, cursor],
    ['of another search', 1, { ...filter, search: 'ada' }, cursor],
    ['that is made up', 1, filter, 'abc'],
    ['that is empty', 1, filter, ''],
    ['of February 30', 1, filter, formatCursor(1, filter, { ...place, key: '2026-02-30T10:15:00.123456Z' })],
    [
      'with an impossible time',
      1,
      filter,
      formatCursor(1, filter, { ...place, key: '2026-13-41T99:15:00.123456Z' }),
    ],
  ])('a cursor %s is invalid', (_, itemId, given, value) => {
    expect(() => parseCursor(item(itemId), given, value)).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });
});
