import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headingsOf, type ItemColumn, itemHeadings } from '../src/items/itemHeadings.ts';

const quiz = (itemId: number, title: string): ItemColumn => ({ kind: 'quiz', itemId, title });
const homework = (itemId: number, title: string): ItemColumn => ({ kind: 'homework', itemId, title });

test.each<[string, ItemColumn[], string[]]>([
  ['a title alone', [quiz(1, 'Groups'), quiz(2, 'Rings')], ['Groups', 'Rings']],
  ['ids where titles are equal', [quiz(1, 'Quiz'), quiz(2, 'quiz')], ['Quiz (1)', 'quiz (2)']],
  ['kinds where ids are equal too', [quiz(1, 'A'), homework(1, 'A')], ['A (quiz 1)', 'A (homework 1)']],
  [
    'an id where another column has the name',
    [quiz(3, 'Email'), quiz(4, 'grade')],
    ['Email (3)', 'grade (4)'],
  ],
  ['a title that looks like another with its id', [quiz(5, 'A'), quiz(9, 'A (5)')], ['A', 'A (5) (9)']],
  ['no formulas', [quiz(1, '=1+1'), quiz(2, '=1+1')], ["'=1+1 (1)", "'=1+1 (2)"]],
])('items are headed by %s', (_, items, headings) => {
  expect(itemHeadings(items)).toEqual(headings);
});

test('the last of the headings that an item can have is its own', () => {
  const suffix = fc.constantFrom('', ' (1)', ' (2)', ' (quiz 1)', ' (homework 2)', ' (1) (2)');
  const title = fc.tuple(fc.constantFrom('A', 'a', '=A', 'email'), suffix).map((parts) => parts.join(''));
  const column = fc.record({
    kind: fc.constantFrom('quiz' as const, 'homework' as const),
    itemId: fc.integer({ min: 1, max: 3 }),
    title,
  });
  const items = fc.uniqueArray(column, { selector: ({ kind, itemId }) => `${kind} ${itemId}`, maxLength: 6 });
  fc.assert(
    fc.property(items, (all) => {
      const headings = itemHeadings(all).map((heading) => heading.toLowerCase());
      for (const [index, item] of all.entries()) {
        const own = headingsOf(item).map((heading) => heading.toLowerCase());
        expect(own.findLast((heading) => headings.includes(heading))).toBe(headings[index]);
      }
      expect(new Set(headings).size).toBe(headings.length);
    }),
  );
});
