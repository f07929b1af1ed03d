import { expect, test } from 'vitest';
import { scaleOf, zoomed } from './zoom.ts';

const page = { width: 600, height: 800 };

test('a page fills the width of its pane or fits into it completely', () => {
  expect(scaleOf('fit', page, { width: 900, height: 800 })).toBe(1.5);
  expect(scaleOf('page', page, { width: 900, height: 800 })).toBe(1);
  expect(scaleOf('page', page, { width: 300, height: 800 })).toBe(0.5);
  expect(scaleOf(2, page, { width: 300, height: 800 })).toBe(2);
});

test('zooming is limited in both directions', () => {
  expect(zoomed(1, 'in')).toBe(1.25);
  expect(zoomed(4.8, 'in')).toBe(5);
  expect(zoomed(0.21, 'out')).toBe(0.2);
  expect(zoomed(1, 'page')).toBe('page');
});
