import { expect, test } from 'vitest';
import { announcement, clockText, daysLeft, secondsLeft } from './timeLeft.ts';

test('the time left counts down and stops at 0', () => {
  const countdown = { seconds: 90, at: 1_000 };
  expect(secondsLeft(countdown, 1_000)).toBe(90);
  expect(secondsLeft(countdown, 31_000)).toBe(60);
  expect(secondsLeft(countdown, 500_000)).toBe(0);
});

test('a clock shows hours only from one hour up', () => {
  expect(clockText(0)).toBe('0:00');
  expect(clockText(2_699)).toBe('44:59');
  expect(clockText(3_909)).toBe('1:05:09');
});

test('from one day up, days and hours are shown', () => {
  expect(daysLeft(86_399)).toBeUndefined();
  expect(daysLeft(2 * 86_400 + 3 * 3_600 + 59)).toEqual({ days: 2, hours: 3 });
});

test('only ten, five and one minutes are announced, each once', () => {
  const all = Array.from({ length: 1_200 }, (_, second) => announcement(1_200 - second, 1_199 - second));
  expect(all.filter((minutes) => minutes !== undefined)).toEqual([10, 5, 1]);
});

test('after a jump past several announcements only the last is made', () => {
  expect(announcement(900, 200)).toBe(5);
  expect(announcement(900, 0)).toBeUndefined();
});
