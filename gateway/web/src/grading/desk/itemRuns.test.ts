import { expect, test } from 'vitest';
import type { RubricItem } from '../queue/gradingTypes.ts';
import { itemRuns } from './itemRuns.ts';

const item = (id: number, group: string | null) => ({ id, group }) as RubricItem;

test("adjacent items of one group are grouped, and the rubric's order is kept", () => {
  const runs = itemRuns([
    item(1, null),
    item(2, 'a'),
    item(3, 'a'),
    item(4, null),
    item(5, null),
    item(6, 'a'),
  ]);
  expect(runs.map(({ group, items }) => [group, items.map(({ id }) => id)])).toEqual([
    [null, [1]],
    ['a', [2, 3]],
    [null, [4]],
    [null, [5]],
    ['a', [6]],
  ]);
});
