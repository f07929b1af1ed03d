import { expect, test } from 'vitest';
import { explainUploadError } from './uploadErrors.ts';

test('a quiz that opens later is not called over', () => {
  expect(explainUploadError('QuizDurationExpired', true).title).toBe('This quiz is not open yet');
  expect(explainUploadError('QuizDurationExpired', false).title).toBe('The time for this quiz is over');
});

test('a refusal without words of its own is shown as the service says it', () => {
  expect(explainUploadError('Course Not Found', true).title).toBe('Course Not Found');
});
