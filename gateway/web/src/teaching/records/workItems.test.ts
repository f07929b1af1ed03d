import { expect, test } from 'vitest';
import type { GradingItem } from '../../shared/api/workTypes.ts';
import { workItems } from './workItems.ts';

const item = (id: number, published = true) => ({ id, published }) as GradingItem;

test('the state of an item is the one the server returns', () => {
  const items = workItems('quizzes', [item(1, false), item(2), item(3)], [{ id: 2 }]);
  expect(items.map(({ id, kind, state }) => [id, kind, state])).toEqual([
    [1, 'quizzes', 'draft'],
    [2, 'quizzes', 'open'],
    [3, 'quizzes', 'closed'],
  ]);
});
