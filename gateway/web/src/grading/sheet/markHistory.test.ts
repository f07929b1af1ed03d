import { expect, test } from 'vitest';
import type { Annotation } from '../queue/gradingTypes.ts';
import { changeMarks, historyOf, type MarkChange, mostMarks } from './markHistory.ts';

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

test('what was done is undone and redone in order', () => {
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

test('a new mark ends what could be redone', () => {
  const history = after(
    { do: 'add', mark: mark('a') },
    { do: 'undo' },
    { do: 'add', mark: mark('b') },
    { do: 'redo' },
  );
  expect(ids(history)).toEqual(['b']);
});

test('nothing to undo, redo or remove changes nothing', () => {
  const history = historyOf([mark('a')]);
  expect(changeMarks(history, { do: 'undo' })).toBe(history);
  expect(changeMarks(history, { do: 'redo' })).toBe(history);
  expect(changeMarks(history, { do: 'remove', id: 'x' })).toBe(history);
});

test('there are at most as many marks as can be saved', () => {
  const full = historyOf(Array.from({ length: mostMarks }, (_, index) => mark(String(index))));
  expect(changeMarks(full, { do: 'add', mark: mark('one more') })).toBe(full);
});
