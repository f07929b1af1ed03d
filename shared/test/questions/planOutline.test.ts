import { describe, expect, test } from 'vitest';
import { pointsGrade, ratingGrade } from '../../src/grading/gradeResult.ts';
import { toPoints } from '../../src/grading/points.ts';
import { outlineChange } from '../../src/questions/outline/outlineChange.ts';
import { gradeAfter, planOutline } from '../../src/questions/outline/planOutline.ts';
import { totalPoints } from '../../src/questions/question.ts';

const item = {
  id: 7,
  points: toPoints(2),
  text: 'Wrong',
  explanation: null,
  group: null,
  key: null,
  uses: 1,
};
const rubric = {
  revision: 1,
  mode: 'subtract' as const,
  maxPoints: toPoints(5),
  minPoints: toPoints(1),
  items: [item],
};
const question = (id: number, change: object = {}) => ({
  ...{ id, label: `${id}`, title: null, maxPoints: toPoints(5), region: null, rubric: null, graded: 1 },
  ...change,
});
const before = { revision: 1, questions: [question(1, { rubric }), question(2)] };
const given = (...questions: [id: number | null, maxPoints?: number][]) => ({
  questions: questions.map(([id, maxPoints = 5], index) => ({
    ...{ id, label: `${index}`, title: null, maxPoints: toPoints(maxPoints), region: null },
  })),
});
const answer = (questionId: number, points: number | null, isByRubric = false) => ({
  ...{ questionId, points: points === null ? null : toPoints(points), adjustment: 0, isByRubric },
  selection: isByRubric ? [7] : [],
});

const planned = (outline: ReturnType<typeof given>, rule = pointsGrade) => ({
  change: outlineChange(before, outline),
  total: totalPoints(outline.questions),
  rule,
});

describe('the change of an outline', () => {
  test('the change lists the removed and resized questions, and the number of new ones', () => {
    expect(outlineChange(before, given([1, 6], [null], [null]))).toMatchObject({
      removed: [{ id: 2 }],
      resized: [{ id: 1, rubric: { maxPoints: toPoints(6) } }],
      added: 2,
    });
    expect(outlineChange(before, given([2], [1]))).toEqual({ removed: [], resized: [], added: 0 });
  });

  test('an unknown question, and a maximum below the minimum of its rubric, are invalid', () => {
    for (const outline of [given([3]), given([1, 0.5])])
      expect(() => outlineChange(before, outline)).toThrowError(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('the grade after a change', () => {
  const both = [answer(1, 3, true), answer(2, 4)];

  test.each([
    ['nothing', given([1], [2]), both, { grade: 7, totalGrade: 10 }],
    ['a new question', given([1], [2], [null]), both, null],
    ['a removed one', given([1]), both, { grade: 3, totalGrade: 5 }],
    ['the missing one removed', given([1]), [answer(1, 3), answer(2, null)], { grade: 3, totalGrade: 5 }],
    ['another maximum with a rubric', given([1, 8], [2]), both, { grade: 10, totalGrade: 13 }],
    ['another maximum without', given([1], [2, 6]), both, { grade: 7, totalGrade: 11 }],
    ['all removed', given(), both, 'kept'],
    ['all replaced', given([null]), both, null],
  ])('%s', (_, outline, answers, expected) => {
    expect(gradeAfter(planned(outline), { answers })).toEqual(expected);
  });

  test('the effect counts regraded and ungraded submissions, and lists at most 100', async () => {
    const submission = (id: number, grade: number | null, answers: ReturnType<typeof answer>[]) => ({
      ...{ id, studentName: 'Ada', grade, totalGrade: grade && 10, answers, key: `${id}` },
    });
    const rows = [
      ...Array.from({ length: 150 }, (_, index) => submission(index, 7, both)),
      submission(200, null, [answer(1, 1), answer(2, null)]),
    ];
    const effect = await planOutline(planned(given([1])), async (last) => (last ? [] : rows));
    expect(effect).toMatchObject({ regraded: 151, ungraded: 0, minChange: -4, maxChange: -4 });
    expect(effect.changes.length).toBe(100);
    const ungraded = await planOutline(planned(given([1], [2], [null])), async (last) => (last ? [] : rows));
    expect(ungraded).toEqual({ regraded: 0, ungraded: 150, minChange: null, maxChange: null, changes: [] });
  });

  test('an unchanged rating is not a change', async () => {
    const rows = [{ id: 1, studentName: null, grade: 7, totalGrade: 10, answers: both, key: '1' }];
    const effect = await planOutline(planned(given([1], [2, 5.1]), ratingGrade), async (last) =>
      last ? [] : rows,
    );
    expect(effect.regraded).toBe(0);
  });
});
