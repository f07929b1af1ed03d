import { expect, test } from 'vitest';
import { failureOf } from './fileFailures.ts';

const named = (name: string) => Object.assign(new Error('…'), { name });

test('a damaged file is distinguished from one that did not arrive', () => {
  expect(failureOf(named('InvalidPDFException')).title).toBe('This file is damaged');
  expect(failureOf(named('PasswordException')).title).toBe('This file is protected by a password');
  expect(failureOf(new TypeError('Failed to fetch')).title).toBe('The file could not be loaded');
  expect(failureOf(new Error('The file could not be read: 404')).title).toBe('The file could not be loaded');
});
