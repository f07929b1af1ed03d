import { expect, test } from 'vitest';
import { destinationAfterLogin } from './afterLogin.ts';

test('a login leads to the requested page', () => {
  expect(destinationAfterLogin('/grading/quizzes/3?status=all', 'instructor')).toBe(
    '/grading/quizzes/3?status=all',
  );
});

test('a login without a requested page leads to the start page of the role', () => {
  expect(destinationAfterLogin(undefined, 'admin')).toBe('/grading');
  expect(destinationAfterLogin('/', 'instructor')).toBe('/courses');
  expect(destinationAfterLogin('/login?next=/x', 'user')).toBe('/my');
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '///evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%09/../..//evil.example',
  'https://evil.example',
  'https:evil.example',
  'http:/grading',
  'javascript:alert(1)',
  'grading',
  '',
])('%s is not a URL of the application', (wanted) => {
  expect(destinationAfterLogin(wanted, 'user')).toBe('/my');
});
