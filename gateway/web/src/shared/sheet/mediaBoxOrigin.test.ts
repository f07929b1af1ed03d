import { expect, test } from 'vitest';
import { mediaBoxOrigin } from './mediaBoxOrigin.ts';

const origin = (text: string) => mediaBoxOrigin(new TextEncoder().encode(text));

test('the origin is that of every MediaBox', () => {
  expect(origin('<< /MediaBox [-10 5.5 595 842] >> … /MediaBox[-10 5.5 300 400]')).toEqual([-10, 5.5]);
});

test('without one, or with several, it is 0,0', () => {
  expect(origin('%PDF-1.7 stream …')).toEqual([0, 0]);
  expect(origin('/MediaBox [0 0 1 1] /MediaBox [5 5 9 9]')).toEqual([0, 0]);
});
