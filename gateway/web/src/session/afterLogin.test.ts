import { expect, test } from 'vitest';
import { destinationAfterLogin } from './afterLogin.ts';

test('one goes where one wanted to go', () => {
  expect(destinationAfterLogin('/grading/quizzes/3?status=all', 'instructor')).toBe(
    '/grading/quizzes/3?status=all',
  );
});

test('without a wish one goes to the page of the role', () => {
  expect(destinationAfterLogin(undefined, 'admin')).toBe('/grading');
  expect(destinationAfterLogin('/', 'instructor')).toBe('/grading');
  expect(destinationAfterLogin('/login?next=/x', 'user')).toBe('/my');
});

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
  '%s is no address of the application',
  (wanted) => {
    expect(destinationAfterLogin(wanted, 'user')).toBe('/my');
  },
);
