import { describe, expect, test } from 'vitest';
import { toPoints } from '../../src/grading/points.ts';
import { scaleRubric } from '../../src/grading/rubricImport.ts';

const rubric = (maxPoints: number, points: number[], minPoints = 0) => ({
  mode: 'add' as const,
  maxPoints: toPoints(maxPoints),
  minPoints: toPoints(minPoints),
  items: points.map((each) => ({
    ...{ id: null, points: toPoints(each), text: 'Item', explanation: null, group: null, key: null },
  })),
});

describe('a rubric for another maximum', () => {
  test('a rubric for the same maximum does not change', () => {
    const given = rubric(7, [0.0001, 1_000_000], 3);
    expect(scaleRubric(given, given.maxPoints)).toEqual(given);
  });

  test.each([
    [10, 5, [0.0002, 3], [0.0001, 1.5]],
    [3, 10, [0.3, 3], [1, 10]],
    [999_999.9999, 999_999.9999, [999_999.9999], [999_999.9999]],
    [0.0003, 999_999, [0.0001], [333_333]],
  ])('from %d to %d points', (from, to, points, scaled) => {
    expect(scaleRubric(rubric(from, points), toPoints(to))).toEqual(rubric(to, scaled));
  });

  test('the minimum is scaled too', () => {
    expect(scaleRubric(rubric(10, [], 4), toPoints(5))).toEqual(rubric(5, [], 2));
  });

  test.each([
    ['an item', rubric(3, [1]), 10],
    ['the minimum', rubric(3, [3], 1), 10],
    ['an item above a million', rubric(1, [1_000_000]), 2],
  ])('%s that is not exact then is invalid', (_, given, to) => {
    expect(() => scaleRubric(given, toPoints(to))).toThrowError(
      expect.objectContaining({ code: 'invalid', fields: { items: [expect.any(String)] } }),
    );
  });
});
