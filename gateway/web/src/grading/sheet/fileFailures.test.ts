import { expect, test } from 'vitest';
import { ApiError } from '../../shared/api/apiError.ts';
import { failureOf } from './fileFailures.ts';

const named = (name: string) => Object.assign(new Error('…'), { name });

test('a damaged file is distinguished from one that failed to load', () => {
  expect(failureOf(named('InvalidPDFException')).title).toBe('This file is damaged');
  expect(failureOf(named('PasswordException')).title).toBe('This file is protected by a password');
  expect(failureOf(new TypeError('Failed to fetch')).title).toBe('The file could not be loaded');
  expect(failureOf(new ApiError(403, 'Unauthorized Access')).title).toBe('The file could not be loaded');
});

test('a missing file is distinguished from an unavailable service', () => {
  expect(failureOf(new ApiError(404, 'Not Found'))).toMatchObject({
    title: 'This file no longer exists',
    isFinal: true,
  });
  const passing = failureOf(new ApiError(503, 'Service Unavailable'));
  expect(passing.title).toBe('This part of the school is not responding');
  expect(passing.isFinal).toBeUndefined();
});
