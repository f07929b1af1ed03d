import { describe, expect, test } from 'vitest';
import { type ExistingUser, type ImportedUser, planImportedUser } from '../src/domain/planImportedUser.ts';

const imported = (change: Partial<ImportedUser> = {}): ImportedUser => ({
  line: 2,
  sourcedId: 's1',
  isDeleted: false,
  firstName: 'Ada',
  lastName: 'L',
  email: 'ada@school.example',
  mobile: null,
  role: 'user',
  isEnabled: true,
  password: null,
  ...change,
});

const existing = (change: Partial<ExistingUser> = {}): ExistingUser => ({
  id: 7,
  firstName: 'Ada',
  lastName: 'L',
  email: 'ada@school.example',
  mobile: null,
  role: 'user',
  passwordHash: 'x',
  mustChangePassword: false,
  isApproved: true,
  isBlocked: false,
  isVerified: false,
  isVerifiedMobile: false,
  isSelfRegistered: false,
  cartItems: 0,
  revision: 3,
  createdAt: new Date(0),
  sourcedId: 's1',
  isBlockedByImport: false,
  ...change,
});

describe('the plan for an imported account', () => {
  test.each([
    ['without an existing account is to create one', imported(), [], { action: 'create' }],
    ['without differences changes nothing', imported(), [existing()], { action: 'unchanged', changes: {} }],
    [
      'with another name updates the account',
      imported({ lastName: 'Byron' }),
      [existing()],
      { action: 'update', changes: { lastName: 'Byron' } },
    ],
    [
      'with the address of an existing account, in another case, adopts the account',
      imported({ email: 'ADA@school.example' }),
      [existing({ sourcedId: null })],
      { action: 'update', isAdopted: true, changes: { sourcedId: 's1', email: 'ADA@school.example' } },
    ],
    [
      'with the address of an account whose person only claimed it is refused',
      imported(),
      [existing({ sourcedId: null, isSelfRegistered: true })],
      { action: 'error', field: 'email' },
    ],
    [
      'with the verified address of a self-registered account adopts the account',
      imported(),
      [existing({ sourcedId: null, isSelfRegistered: true, isVerified: true })],
      { action: 'update', isAdopted: true },
    ],
    [
      'without an address keeps the existing one',
      imported({ email: null }),
      [existing()],
      { action: 'unchanged' },
    ],
    ['with one name is created', imported({ lastName: '' }), [], { action: 'create' }],
    [
      'without a last name keeps the one that the account has',
      imported({ firstName: 'Augusta', lastName: '' }),
      [existing()],
      { action: 'update', changes: { firstName: 'Augusta' } },
    ],
    [
      'with one name stays unchanged',
      imported({ lastName: '' }),
      [existing()],
      { action: 'unchanged', changes: {} },
    ],
    [
      'without an address or number is refused',
      imported({ email: null }),
      [],
      { action: 'error', field: 'email' },
    ],
    [
      'with the address of another imported account is refused',
      imported(),
      [existing({ sourcedId: 's2' })],
      { action: 'error', message: 'The email already belongs to the account of sourcedId s2.' },
    ],
    [
      'with a new address that belongs to another account is refused',
      imported({ email: 'new@school.example' }),
      [existing(), existing({ id: 8, sourcedId: null, email: 'New@school.example' })],
      { action: 'error', message: 'The email already belongs to another account.' },
    ],
    ['of an administrator is ignored', imported(), [existing({ role: 'admin' })], { action: 'ignored' }],
    [
      'that is deleted deletes the account',
      imported({ isDeleted: true }),
      [existing()],
      { action: 'delete' },
    ],
    [
      'that is deleted, but is an administrator, is ignored',
      imported({ isDeleted: true }),
      [existing({ role: 'admin' })],
      { action: 'ignored' },
    ],
    ['that is deleted and does not exist is absent', imported({ isDeleted: true }), [], { action: 'absent' }],
    [
      'that is deleted and only shares an address is absent',
      imported({ isDeleted: true }),
      [existing({ sourcedId: null })],
      { action: 'absent' },
    ],
    [
      'that is disabled blocks the account',
      imported({ isEnabled: false }),
      [existing()],
      { action: 'update', changes: { isBlocked: true } },
    ],
    [
      'that is enabled unblocks an account that an import has blocked',
      imported(),
      [existing({ isBlocked: true, isBlockedByImport: true })],
      { action: 'update', changes: { isBlocked: false } },
    ],
    [
      'that is enabled leaves an account blocked that an administrator has blocked',
      imported(),
      [existing({ isBlocked: true })],
      { action: 'unchanged', message: 'An administrator has blocked this account. It stays blocked.' },
    ],
    [
      'without an enabled state leaves the account blocked',
      imported({ isEnabled: undefined }),
      [existing({ isBlocked: true })],
      { action: 'unchanged' },
    ],
  ])('an imported account %s', (_title, user, matching, plan) => {
    expect(planImportedUser(user, matching)).toMatchObject(plan);
  });
});
