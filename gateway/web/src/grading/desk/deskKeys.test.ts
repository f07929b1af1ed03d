import { expect, test } from 'vitest';
import { commandOf, type KeyPress } from './deskKeys.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  ...more,
});

const items = [
  { id: 10, key: '3' },
  { id: 20, key: null },
  { id: 30, key: 'm' },
  { id: 40, key: 'n' },
];

test('letters trigger commands', () => {
  expect(commandOf(press('n'), false, [])).toEqual({ do: 'save-and-next' });
  expect(commandOf(press('v'), false, [])).toEqual({ do: 'tool', tool: 'check' });
  expect(commandOf(press('+', { shiftKey: true }), false, [])).toEqual({ do: 'zoom', by: 'in' });
});

test('keys do nothing while the user types, except Escape and Ctrl+Enter', () => {
  expect(commandOf(press('n'), true, items)).toBeUndefined();
  expect(commandOf(press('1'), true, items)).toBeUndefined();
  expect(commandOf(press('z', { ctrlKey: true }), true, items)).toBeUndefined();
  expect(commandOf(press('Escape'), true, items)).toEqual({ do: 'leave-field' });
  expect(commandOf(press('Enter', { ctrlKey: true }), true, items)).toEqual({ do: 'save-and-next' });
});

test('keys do nothing while a word is being composed', () => {
  expect(commandOf(press('n', { isComposing: true }), false, items)).toBeUndefined();
});

test('a key held down saves once', () => {
  expect(commandOf(press('n', { repeat: true }), false, items)).toBeUndefined();
  expect(commandOf(press(']', { repeat: true }), false, items)).toEqual({ do: 'page', step: 1 });
});

test("digits toggle items by position, and an item's own key takes precedence", () => {
  expect(commandOf(press('2'), false, items)).toEqual({ do: 'toggle', itemId: 20 });
  expect(commandOf(press('3'), false, items)).toEqual({ do: 'toggle', itemId: 10 });
  expect(commandOf(press('9'), false, items)).toBeUndefined();
});

test("an item's own letter toggles it, but never replaces a key of the desk", () => {
  expect(commandOf(press('m'), false, items)).toEqual({ do: 'toggle', itemId: 30 });
  expect(commandOf(press('n'), false, items)).toEqual({ do: 'save-and-next' });
});

test('keys act by their position on keyboards of other scripts', () => {
  expect(commandOf(press('ى', { code: 'KeyN' }), false, [])).toEqual({ do: 'save-and-next' });
  expect(commandOf(press('١', { code: 'Digit1' }), false, items)).toEqual({ do: 'toggle', itemId: 10 });
});

test('shortcuts of the browser are left alone', () => {
  expect(commandOf(press('n', { ctrlKey: true }), false, items)).toBeUndefined();
  expect(commandOf(press('c', { metaKey: true }), false, items)).toBeUndefined();
  expect(commandOf(press('1', { altKey: true }), false, items)).toBeUndefined();
});

test('marks are undone and redone', () => {
  expect(commandOf(press('z'), false, [])).toEqual({ do: 'undo' });
  expect(commandOf(press('Z', { ctrlKey: true, shiftKey: true }), false, [])).toEqual({ do: 'redo' });
  expect(commandOf(press('y', { ctrlKey: true }), false, [])).toEqual({ do: 'redo' });
});

test('"0" chooses that no rubric item applies; without a rubric it fits the page, as "f" always does', () => {
  expect(commandOf(press('0'), false, items)).toEqual({ do: 'none' });
  expect(commandOf(press('٠', { code: 'Digit0' }), false, items)).toEqual({ do: 'none' });
  expect(commandOf(press('0'), false, [])).toEqual({ do: 'zoom', by: 'fit' });
  expect(commandOf(press('f'), false, items)).toEqual({ do: 'zoom', by: 'fit' });
});

test('Escape deselects the tool once no field has the focus', () => {
  expect(commandOf(press('Escape'), true, items)).toEqual({ do: 'leave-field' });
  expect(commandOf(press('Escape'), false, items)).toEqual({ do: 'drop-tool' });
});

test('q and Q lead to another question, and are free for the rubric of a whole submission', () => {
  const own = [{ id: 50, key: 'q' }];
  expect(commandOf(press('q'), false, own, true)).toEqual({ do: 'question', step: 1 });
  expect(commandOf(press('Q', { shiftKey: true }), false, own, true)).toEqual({ do: 'question', step: -1 });
  expect(commandOf(press('ض', { code: 'KeyQ' }), false, own, true)).toEqual({ do: 'question', step: 1 });
  expect(commandOf(press('q'), false, own)).toEqual({ do: 'toggle', itemId: 50 });
  expect(commandOf(press('q'), true, own, true)).toBeUndefined();
});
