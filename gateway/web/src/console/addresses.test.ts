import { expect, test } from 'vitest';
import {
  auditAddress,
  courseAddress,
  deliveriesAddress,
  devicesAddress,
  listAddress,
  usersAddress,
} from './addresses.ts';

test('the first page and empty filters are not in the URL', () => {
  expect(listAddress({ page: 1, search: ' ' })).toEqual({});
  expect(usersAddress({ page: '1', role: '' })).toEqual({});
});

test('valid filters survive a reload, and invalid ones are dropped', () => {
  expect(usersAddress({ page: '7', search: ' ada ', role: 'admin' })).toEqual({
    page: 7,
    search: 'ada',
    role: 'admin',
  });
  expect(usersAddress({ page: '-1', search: ['ada'], role: 'king' })).toEqual({});
  expect(courseAddress({ tab: 'students', page: 2 })).toEqual({ tab: 'students', page: 2 });
  expect(courseAddress({ tab: 'quizzes' })).toEqual({});
  expect(devicesAddress({ user: '12' })).toEqual({ user: 12 });
  expect(deliveriesAddress({ status: 'failed', page: 3 })).toEqual({ status: 'failed', page: 3 });
});

test('a search for a number stays a text', () => {
  expect(listAddress({ search: 2026 })).toEqual({ search: '2026' });
});

test('the audit log is filtered by times and paged by cursor', () => {
  const address = { actor: 3, action: 'user.updated', from: '2026-11-21T10:15', cursor: '1795000000000.12' };
  expect(auditAddress(address)).toEqual(address);
  expect(auditAddress({ from: '2026-99-99T10:15', to: 'yesterday', cursor: 'x', actor: 0 })).toEqual({});
});
