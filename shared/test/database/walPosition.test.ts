import { expect, test } from 'vitest';
import { compareReplay } from '../../src/database/walPosition.ts';

const primary = { identity: '7300000000000000001/gradeway', timeline: 3, bytes: '9007199254740993' };
const replica = { ...primary, isInRecovery: true };

test.each([
  ['a replica at the same position', {}, 'reached'],
  ['a replica that is further', { bytes: '9007199254740994' }, 'reached'],
  ['a replica that is one byte behind', { bytes: '9007199254740992' }, 'behind'],
  ['a replica with fewer digits', { bytes: '99' }, 'behind'],
  ['a replica that became a primary', { isInRecovery: false, bytes: '9999999999999999' }, 'foreign'],
  ['a replica that did not follow to the new primary', { timeline: 2, bytes: '9999999999999999' }, 'foreign'],
  ['a replica of another primary', { identity: '7300000000000000002/gradeway' }, 'foreign'],
  ['another database of the same servers', { identity: '7300000000000000001/other' }, 'foreign'],
])('%s', (_, change, state) => {
  expect(compareReplay({ ...replica, ...change }, primary)).toBe(state);
});
