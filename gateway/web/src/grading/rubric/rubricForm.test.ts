import { expect, test } from 'vitest';
import { bodyOf, errorIn, formOf, isChanged, moved, newItem } from './rubricForm.ts';

const rubric = {
  revision: 2,
  mode: 'add' as const,
  max_points: 10,
  min_points: 0,
  items: [
    { id: 4, points: 6, text: 'The proof is complete.', explanation: null, group: null, key: '1', uses: 3 },
    {
      id: 5,
      points: 4,
      text: 'The result is right.',
      explanation: 'Up to signs.',
      group: 'result',
      key: null,
      uses: 0,
    },
  ],
};

test('a rubric passes through its form unchanged, with the ids of its items', () => {
  const { items, ...others } = bodyOf(formOf(rubric, null));
  expect(others).toEqual({ mode: 'add', max_points: 10, min_points: 0 });
  expect(items).toEqual(rubric.items.map(({ uses: _, ...item }) => item));
});

test('a new item has no id', () => {
  const form = formOf(rubric, null);
  const body = bodyOf({ ...form, items: [...form.items, { ...newItem(), text: ' Tidy. ', points: '0.5' }] });
  expect(body.items[2]).toEqual({ points: 0.5, text: 'Tidy.', explanation: null, group: null, key: null });
});

test("a first rubric starts with the quiz's total", () => {
  expect(formOf(null, 25)).toMatchObject({ mode: 'subtract', maxPoints: '25' });
});

test.each([
  [{ maxPoints: '0' }, 'above 0'],
  [{ minPoints: '11' }, 'minimum'],
  [{ items: [] }, 'at least one'],
  [{ items: [newItem()] }, 'at least one'],
  [{ items: [{ ...newItem(), explanation: 'a' }] }, 'needs a text'],
  [{ items: [{ ...newItem(), points: '2' }] }, 'needs a text'],
  [{ items: [{ ...newItem(), text: 'a', points: '-1' }] }, 'at least 0'],
  [{ items: [{ ...newItem(), text: 'a', shortcut: 'ab' }] }, 'one character'],
  [{ items: [1, 2].map(() => ({ ...newItem(), text: 'a', shortcut: 'x' })) }, 'same key'],
])('%o is rejected', (change, error) => {
  expect(errorIn({ ...formOf(rubric, null), ...change })).toContain(error);
});

test('an added row that was not filled in is dropped', () => {
  const form = formOf(rubric, null);
  const longer = { ...form, items: [...form.items, newItem()] };
  expect(errorIn(longer)).toBeUndefined();
  expect(bodyOf(longer)).toEqual(bodyOf(form));
  expect(isChanged(longer, form)).toBe(false);
  expect(isChanged({ ...form, maxPoints: '12,5' }, form)).toBe(true);
});

test('points may have a decimal comma', () => {
  const form = formOf(rubric, null);
  const [first] = form.items;
  const items = first ? [{ ...first, points: '2,5' }] : [];
  expect(bodyOf({ ...form, maxPoints: '12,5', items })).toMatchObject({
    max_points: 12.5,
    items: [{ points: 2.5 }],
  });
});

test('an item moves to another position', () => {
  const [one, two, three] = [newItem(), newItem(), newItem()];
  expect(moved([one, two, three], 0, 2)).toEqual([two, three, one]);
  expect(moved([one, two, three], 2, 1)).toEqual([one, three, two]);
  expect(moved([one, two], 1, 2)).toEqual([one, two]);
});
