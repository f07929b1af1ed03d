import { expect, test } from 'vitest';
import type { Annotation } from '../queue/gradingTypes.ts';
import { changeMarks, historyOf, type MarkChange, maxMarks } from './markHistory.ts';

const mark = (id: string): Annotation => ({
  id,
  file_id: 1,
  page: 1,
  kind: 'check',
  rect: [10, 10, 18, 18],
  points: null,
  text: null,
  color: null,
  item_id: null,
});
const after = (...changes: MarkChange[]) => changes.reduce(changeMarks, historyOf([]));
const ids = ({ present }: { present: Annotation[] }) => present.map(({ id }) => id);

test('changes are undone and redone in order', () => {
  const drawn = after(
    { do: 'add', mark: mark('a') },
    { do: 'add', mark: mark('b') },
    { do: 'remove', id: 'a' },
  );
  expect(ids(drawn)).toEqual(['b']);
  const undone = [{ do: 'undo' }, { do: 'undo' }].reduce(
    (history, change) => changeMarks(history, change as MarkChange),
    drawn,
  );
  expect(ids(undone)).toEqual(['a']);
  expect(ids(changeMarks(undone, { do: 'redo' }))).toEqual(['a', 'b']);
});

test('a new mark clears the redo steps', () => {
  const history = after(
    { do: 'add', mark: mark('a') },
    { do: 'undo' },
    { do: 'add', mark: mark('b') },
    { do: 'redo' },
  );
  expect(ids(history)).toEqual(['b']);
});

test('undo, redo and removal without a target change nothing', () => {
  const history = historyOf([mark('a')]);
  expect(changeMarks(history, { do: 'undo' })).toBe(history);
  expect(changeMarks(history, { do: 'redo' })).toBe(history);
  expect(changeMarks(history, { do: 'remove', id: 'x' })).toBe(history);
});

test('the number of marks is limited to what can be saved', () => {
  const full = historyOf(Array.from({ length: maxMarks }, (_, index) => mark(String(index))));
  expect(changeMarks(full, { do: 'add', mark: mark('one more') })).toBe(full);
});

const at = (id: string, x: number): Annotation => ({ ...mark(id), rect: [x, 10, 18, 18] });

test('successive moves of one mark are undone together, and moves of two marks separately', () => {
  const drawn = after(
    { do: 'add', mark: mark('a') },
    { do: 'add', mark: mark('b') },
    { do: 'move', mark: at('a', 20) },
    { do: 'move', mark: at('a', 30) },
    { do: 'move', mark: at('b', 40) },
  );
  const xs = ({ present }: { present: Annotation[] }) => present.map(({ rect: [x] }) => x);
  const once = changeMarks(drawn, { do: 'undo' });
  expect(xs(once)).toEqual([30, 10]);
  expect(xs(changeMarks(once, { do: 'undo' }))).toEqual([10, 10]);
  expect(xs(changeMarks(once, { do: 'redo' }))).toEqual([30, 40]);
});

test('moving a mark again after an undo is a separate step', () => {
  const moved = after(
    { do: 'add', mark: mark('a') },
    { do: 'move', mark: at('a', 20) },
    { do: 'undo' },
    { do: 'move', mark: at('a', 50) },
  );
  expect(moved.past).toHaveLength(2);
});

test('a changed mark keeps its position in the list', () => {
  const changed = after(
    { do: 'add', mark: mark('a') },
    { do: 'add', mark: mark('b') },
    { do: 'change', mark: { ...mark('a'), color: '#1f5fbf' } },
  );
  expect(changed.present.map(({ id, color }) => [id, color])).toEqual([
    ['a', '#1f5fbf'],
    ['b', null],
  ]);
  expect(changeMarks(changed, { do: 'change', mark: mark('x') })).toBe(changed);
  expect(changeMarks(changed, { do: 'change', mark: mark('b') })).toBe(changed);
});
