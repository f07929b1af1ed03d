import { requireVersion, VersionConflict, versionTag } from '@gradeway/shared/submissions/versionTag';
import { expect, test } from 'vitest';

const submission = { revision: 2, submittedAt: new Date('2026-03-01T10:00:00.123Z') };
const tag = versionTag(submission);

test('the tag is a strong entity tag and changes with each grading and each upload', () => {
  expect(tag).toMatch(/^"[0-9a-z-]+"$/);
  expect(versionTag({ ...submission, revision: 3 })).not.toBe(tag);
  expect(versionTag({ ...submission, submittedAt: new Date('2026-03-01T10:00:00.124Z') })).not.toBe(tag);
});

test.each([
  ['no expected tag', undefined],
  ['its own tag', [tag]],
  ['its own tag among others', ['"1-a"', tag]],
])('a submission is accepted with %s', (_, expected) => {
  expect(() => requireVersion(submission, expected)).not.toThrow();
});

test.each([
  ['the tag of another state', [versionTag({ ...submission, revision: 1 })]],
  ['a weak tag', [`W/${tag}`]],
  ['an empty list', []],
])('a submission is refused with %s', (_, expected) => {
  expect(() => requireVersion(submission, expected)).toThrow(VersionConflict);
});
