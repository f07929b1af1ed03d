import { expect, test } from 'vitest';
import { cleanFileName } from '../../src/files/cleanFileName.ts';

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\Ada\\answers.pdf', 'answers.pdf'],
  ['a\u0000b\nc.pdf', 'abc.pdf'],
  ['\u202Efdp.exe', 'fdp.exe'],
  ['..', 'file.pdf'],
  ['', 'file.pdf'],
  ['答案.pdf', '答案.pdf'],
  [`${'x'.repeat(500)}.pdf`, 'x'.repeat(200)],
])('the file name %j becomes %j', (given, cleaned) => {
  expect(cleanFileName(given)).toBe(cleaned);
});
