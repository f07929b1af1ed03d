import fc from 'fast-check';
import { expect, test } from 'vitest';
import { annotatedFileName, cleanFileName } from '../../src/files/cleanFileName.ts';

test.each([
  ['../../etc/passwd', 'passwd.pdf'],
  ['C:\\Users\\Ada\\answers.pdf', 'answers.pdf'],
  ['a\u0000b\nc.pdf', 'abc.pdf'],
  ['\u202Efdp.exe', 'fdp.exe.pdf'],
  ['answers\u2028sheet\u2029.pdf', 'answerssheet.pdf'],
  ['homework.html', 'homework.html.pdf'],
  ['homework.pdf fdp.exe', 'homework.pdf fdp.exe.pdf'],
  ['run.bat. .', 'run.bat.pdf'],
  ['.htaccess', 'htaccess.pdf'],
  [' ..answers.pdf. ', 'answers.pdf'],
  ['desktop.ini', 'desktop.ini.pdf'],
  ['CON', '_CON.pdf'],
  ['nul.pdf', '_nul.pdf'],
  ['LPT1.tar.gz', '_LPT1.tar.gz.pdf'],
  ['SCAN.PDF', 'SCAN.PDF'],
  ['.pdf', 'pdf.pdf'],
  ['Schlu\u0308ssel.pdf', 'Schl\u00fcssel.pdf'],
  ['a\u202e\u0301.pdf', '\u00e1.pdf'],
  ['lone \ud800.pdf', 'lone \ufffd.pdf'],
  ['..', 'file.pdf'],
  ['', 'file.pdf'],
  ['答案.pdf', '答案.pdf'],
  [`${'x'.repeat(196)}.pdf`, `${'x'.repeat(196)}.pdf`],
  [`start${'x'.repeat(500)}end.pdf`, `start${'x'.repeat(95)}…${'x'.repeat(92)}end.pdf`],
  [`${'😀'.repeat(300)}`, `${'😀'.repeat(100)}…${'😀'.repeat(95)}.pdf`],
])('the file name %j becomes %j', (given, cleaned) => {
  expect(cleanFileName(given)).toBe(cleaned);
});

test('any cleaned name ends in .pdf, has at most 200 characters in NFC, and does not change when cleaned again', () => {
  const parts = fc.constantFrom(
    '.',
    ' ',
    'con',
    'LPT1',
    '/',
    '\\',
    '.pdf',
    '\u2028',
    '\u200f',
    '\u0301',
    'e',
    'x'.repeat(99),
  );
  const names = fc.array(fc.oneof(parts, fc.string({ unit: 'binary' })), { maxLength: 12 });
  fc.assert(
    fc.property(names, (texts) => {
      const name = cleanFileName(texts.join(''));
      expect(name).toMatch(
        /^[^\s.\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}][^/\\\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*\.[pP][dD][fF]$/u,
      );
      expect([...name].length).toBeLessThanOrEqual(200);
      expect(name).toBe(name.normalize('NFC'));
      expect(cleanFileName(name)).toBe(name);
    }),
  );
});

test('an annotated copy is named after its file, however long the name', () => {
  expect(annotatedFileName('answers.pdf')).toBe('answers (annotated).pdf');
  const name = annotatedFileName(cleanFileName('x'.repeat(300)));
  expect([[...name].length, name.endsWith(' (annotated).pdf')]).toEqual([200, true]);
});
