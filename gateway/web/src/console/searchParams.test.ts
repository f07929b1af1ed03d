import { expect, test } from 'vitest';
import {
  auditParams,
  courseParams,
  deliveriesParams,
  devicesParams,
  listParams,
  usersParams,
} from './searchParams.ts';

test('the first page and empty filters are not in the URL', () => {
  expect(listParams({ page: 1, search: ' ' })).toEqual({});
  expect(usersParams({ page: '1', role: '' })).toEqual({});
});

test('valid filters survive a reload, and invalid ones are dropped', () => {
  expect(usersParams({ page: '7', search: ' ada ', role: 'admin' })).toEqual({
    page: 7,
    search: 'ada',
    role: 'admin',
  });
  expect(usersParams({ page: '-1', search: ['ada'], role: 'king' })).toEqual({});
  expect(courseParams({ tab: 'students', page: 2 })).toEqual({ tab: 'students', page: 2 });
  expect(courseParams({ tab: 'quizzes' })).toEqual({});
  expect(devicesParams({ user: '12' })).toEqual({ user: 12 });
  expect(deliveriesParams({ status: 'failed', page: 3 })).toEqual({ status: 'failed', page: 3 });
});

test('a search for a number remains text', () => {
  expect(listParams({ search: 2026 })).toEqual({ search: '2026' });
});

test('the audit log is filtered by time and paged by cursor', () => {
  const address = { actor: 3, action: 'user.updated', from: '2026-11-21T10:15', cursor: '1795000000000.12' };
  expect(auditParams(address)).toEqual(address);
  expect(auditParams({ from: '2026-99-99T10:15', to: 'yesterday', cursor: 'x', actor: 0 })).toEqual({});
});
