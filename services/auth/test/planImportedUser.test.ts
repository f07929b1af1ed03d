import { describe, expect, test } from 'vitest';
import { type ImportedUser, type KnownUser, planImportedUser } from '../src/domain/planImportedUser.ts';

const wanted = (change: Partial<ImportedUser> = {}): ImportedUser => ({
  ...{
    line: 2,
    sourcedId: 's1',
    isDeleted: false,
    firstName: 'Ada',
    lastName: 'L',
    email: 'ada@school.example',
  },
  ...{ mobile: null, role: 'user', isEnabled: true, password: null },
  ...change,
});

const known = (change: Partial<KnownUser> = {}): KnownUser => ({
  ...{ id: 7, firstName: 'Ada', lastName: 'L', email: 'ada@school.example', mobile: null, role: 'user' },
  ...{ passwordHash: 'x', isApproved: true, isBlocked: false, isVerified: false, isVerifiedMobile: false },
  ...{ cartItems: 0, revision: 3, createdAt: new Date(0), sourcedId: 's1', isBlockedByImport: false },
  ...change,
});

describe('what becomes of an imported account', () => {
  test.each([
    ['nobody knows it', wanted(), [], { action: 'create' }],
    ['it is as it should be', wanted(), [known()], { action: 'unchanged', changes: {} }],
    [
      'it has another name',
      wanted({ lastName: 'Byron' }),
      [known()],
      { action: 'update', changes: { lastName: 'Byron' } },
    ],
    [
      'it was there before, with the same address in other letters',
      wanted({ email: 'ADA@school.example' }),
      [known({ sourcedId: null })],
      { action: 'update', isAdopted: true, changes: { sourcedId: 's1', email: 'ADA@school.example' } },
    ],
    ['it has no address in the file', wanted({ email: null }), [known()], { action: 'unchanged' }],
    ['nobody could reach it', wanted({ email: null }), [], { action: 'error', field: 'email' }],
    [
      'its address is that of another imported account',
      wanted(),
      [known({ sourcedId: 's2' })],
      { action: 'error', message: 'The email belongs to the account of sourcedId s2 already.' },
    ],
    [
      'its new address is that of another account',
      wanted({ email: 'new@school.example' }),
      [known(), known({ id: 8, sourcedId: null, email: 'New@school.example' })],
      { action: 'error', message: 'The email belongs to another account already.' },
    ],
    ['it administers', wanted(), [known({ role: 'admin' })], { action: 'ignored' }],
    ['it is to be deleted', wanted({ isDeleted: true }), [known()], { action: 'delete' }],
    [
      'it is to be deleted and administers',
      wanted({ isDeleted: true }),
      [known({ role: 'admin' })],
      { action: 'ignored' },
    ],
    ['it is to be deleted and is not there', wanted({ isDeleted: true }), [], { action: 'absent' }],
    [
      'it is to be deleted and only its address is known',
      wanted({ isDeleted: true }),
      [known({ sourcedId: null })],
      { action: 'absent' },
    ],
    [
      'it is disabled',
      wanted({ isEnabled: false }),
      [known()],
      { action: 'update', changes: { isBlocked: true } },
    ],
    [
      'an import had blocked it',
      wanted(),
      [known({ isBlocked: true, isBlockedByImport: true })],
      { action: 'update', changes: { isBlocked: false } },
    ],
    [
      'an administrator had blocked it',
      wanted(),
      [known({ isBlocked: true })],
      { action: 'unchanged', note: 'An administrator has blocked the account: it stays blocked.' },
    ],
    [
      'the file says nothing of it',
      wanted({ isEnabled: undefined }),
      [known({ isBlocked: true })],
      { action: 'unchanged' },
    ],
  ])('when %s', (_when, user, there, plan) => {
    expect(planImportedUser(user, there)).toMatchObject(plan);
  });
});
