import { describe, expect, test } from 'vitest';
import { archiveFolder, archiveNames, createArchiveNames } from '../../src/files/archiveNames.ts';

describe('file names in an archive', () => {
  test.each([
    ['are the original names', ['a.pdf', 'b.pdf'], ['a.pdf', 'b.pdf']],
    ['may use any script', ['Übung 1.pdf', '宿題.pdf', 'واجب.pdf'], ['Übung 1.pdf', '宿題.pdf', 'واجب.pdf']],
    ['are numbered when they are equal', ['a.pdf', 'a.pdf', 'a.pdf'], ['a.pdf', 'a (2).pdf', 'a (3).pdf']],
    ['are numbered when the ending is appended', ['notes', 'notes'], ['notes.pdf', 'notes (2).pdf']],
    ['differ in more than letter case', ['A.pdf', 'a.PDF', 'a.pdf'], ['A.pdf', 'a (2).PDF', 'a (3).pdf']],
    [
      'differ in more than Unicode normalization',
      ['\u00e9.pdf', 'e\u0301.pdf'],
      ['\u00e9.pdf', '\u00e9 (2).pdf'],
    ],
    [
      'skip a number that an original name has',
      ['a.pdf', 'a (2).pdf', 'a.pdf'],
      ['a.pdf', 'a (2).pdf', 'a (3).pdf'],
    ],
    [
      'stay unique when a numbered name equals an original name',
      ['a.pdf', 'a.pdf', 'a (2).pdf'],
      ['a.pdf', 'a (2).pdf', 'a (2) (2).pdf'],
    ],
    ['contain no path', ['../../etc/passwd', '/root/a.pdf', 'C:\\b.pdf'], ['passwd.pdf', 'a.pdf', 'b.pdf']],
    ['are never only dots or empty', ['..', '.', ''], ['file.pdf', 'file (2).pdf', 'file (3).pdf']],
    ['contain no drive and no alternate data stream', ['C:a.pdf', 'a.pdf:b'], ['C_a.pdf', 'a.pdf_b.pdf']],
    ['contain no characters that Windows forbids', ['What? <1> "x" | *.pdf'], ['What_ _1_ _x_ _ _.pdf']],
    ['do not end with a dot or a space', ['a.pdf. .', 'a.pdf'], ['a.pdf', 'a (2).pdf']],
    ['contain no control or bidirectional characters', ['a\u0000\n\u202Efdp.exe'], ['afdp.exe.pdf']],
    [
      'are not reserved device names of Windows',
      ['CON', 'nul.pdf', 'Com1.tar.pdf', 'lpt¹.pdf', 'aux .pdf'],
      ['_CON.pdf', '_nul.pdf', '_Com1.tar.pdf', '_lpt¹.pdf', '_aux .pdf'],
    ],
    ['may begin like a device name', ['control.pdf', 'com10.pdf'], ['control.pdf', 'com10.pdf']],
  ])('%s', (_, originals, expected) => {
    expect(archiveNames(originals)).toEqual(expected);
  });

  test('file names in an archive have at most 255 bytes, including extension and number', () => {
    const long = `${'課'.repeat(190)}.pdf`;
    const [first = '', second = ''] = archiveNames([long, long]);
    expect(Buffer.byteLength(first)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255);
    expect(first).toMatch(/^課+\.pdf$/);
    expect(second).toMatch(/^課+ \(2\)\.pdf$/);
  });
});

describe('createArchiveNames', () => {
  test('createArchiveNames prepends the prefix, numbers duplicates and shortens the original name', () => {
    const nameOf = createArchiveNames('Ada (7) - ', 30);
    expect(['a.pdf', 'A.pdf', `${'x'.repeat(190)}.pdf`].map(nameOf)).toEqual([
      'Ada (7) - a.pdf',
      'Ada (7) - A (2).pdf',
      `Ada (7) - ${'x'.repeat(16)}.pdf`,
    ]);
  });

  test('archiveFolder converts any title to a folder name', () => {
    expect(archiveFolder('a/b\\c: d.', ' (3)', 80)).toBe('a_b_c_ d (3)');
    expect(archiveFolder('..', ' (3)', 80)).toBe('_ (3)');
    expect(archiveFolder('宿'.repeat(100), ' (3)', 20)).toBe(`${'宿'.repeat(5)} (3)`);
  });
});
