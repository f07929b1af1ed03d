import { expect, test } from 'vitest';
import { readReceipt } from './receipt.ts';
import { compareFiles, receiptFile } from './receiptFile.ts';

const sha256 = 'a'.repeat(64);
const claims = {
  kind: 'quiz',
  submission_id: 5,
  student_id: 7,
  files: [{ sha256, size: 48_213 }],
  received_at: '2026-11-21T10:40:12.000Z',
  deadline: null,
};
const signed = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const content = { submissionId: 5, receivedAt: claims.received_at, files: claims.files };
const local = (hash: string) => [{ name: 'answers.pdf', size: 48_213, sha256: hash }];

test('a receipt is decoded', () => {
  expect(readReceipt(signed)).toEqual(content);
});

test('an invalid receipt is rejected', () => {
  expect(readReceipt('not.a-receipt')).toBeNull();
  expect(readReceipt('')).toBeNull();
});

test("the files that the school received are compared with the device's", () => {
  expect(compareFiles({ content, files: local(sha256) })).toBe('same');
  expect(compareFiles({ content, files: local('b'.repeat(64)) })).toBe('different');
  expect(compareFiles({ content, files: [...local(sha256), ...local(sha256)] })).toBe('different');
  expect(compareFiles({ content, files: local('') })).toBe('unknown');
  expect(compareFiles({ content: null, files: local(sha256) })).toBe('unknown');
});

test('the downloaded receipt contains the signed receipt and the file names', () => {
  const file = JSON.parse(receiptFile('First steps', { signed, content, files: local(sha256), keptAt: 0 }));
  expect(file).toEqual({
    title: 'First steps',
    submission_id: 5,
    received_at: claims.received_at,
    files: [{ name: 'answers.pdf', sha256, size: 48_213 }],
    receipt: signed,
  });
});
