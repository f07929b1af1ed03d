import { expect, test } from 'vitest';
import { moveSide, remaining, turnCrop, turnFurther, uncropped } from './crop.ts';

test('an edge never moves past the opposite one or out of the photo', () => {
  const crop = moveSide(uncropped, 'left', 0.3);
  expect(crop).toEqual({ ...uncropped, left: 0.3 });
  expect(moveSide(crop, 'right', 0.9).right).toBeCloseTo(0.6);
  expect(moveSide(crop, 'top', -1).top).toBe(0);
});

test('the frame rotates with the photo and is unchanged after four quarter turns', () => {
  const crop = { top: 0.1, right: 0.2, bottom: 0.3, left: 0.4 };
  expect(turnCrop(crop)).toEqual({ top: 0.4, right: 0.1, bottom: 0.2, left: 0.3 });
  expect(turnCrop(turnCrop(turnCrop(turnCrop(crop))))).toEqual(crop);
  expect(turnFurther(270)).toBe(0);
});

test('the cropped photo has at least one pixel', () => {
  expect(remaining({ top: 0.25, right: 0.5, bottom: 0.25, left: 0 }, 400, 200)).toEqual({
    x: 0,
    y: 50,
    width: 200,
    height: 100,
  });
  expect(remaining({ ...uncropped, top: 0.5, bottom: 0.4 }, 1, 2).height).toBeGreaterThanOrEqual(1);
});
