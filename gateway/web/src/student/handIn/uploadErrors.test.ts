import { expect, test } from 'vitest';
import { explainUploadError } from './uploadErrors.ts';

test('a quiz that opens later is not described as over', () => {
  expect(explainUploadError('QuizDurationExpired', true).title).toBe('This quiz is not open yet');
  expect(explainUploadError('QuizDurationExpired', false).title).toBe('The time for this quiz is over');
});

test("an unknown error is shown in the service's words", () => {
  expect(explainUploadError('Course Not Found', true).title).toBe('Course Not Found');
});
