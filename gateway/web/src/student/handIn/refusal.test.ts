import { expect, test } from 'vitest';
import { refusalOf } from './refusal.ts';

test('a quiz that opens later is not called over', () => {
  expect(refusalOf('QuizDurationExpired', true).title).toBe('This quiz is not open yet');
  expect(refusalOf('QuizDurationExpired', false).title).toBe('The time for this quiz is over');
});

test('a refusal without words of its own is shown as the service says it', () => {
  expect(refusalOf('Course Not Found', true).title).toBe('Course Not Found');
});
