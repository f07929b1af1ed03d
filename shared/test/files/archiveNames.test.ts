import { describe, expect, test } from 'vitest';
import { archiveFolder, archiveNames, createArchiveNames } from '../../src/files/archiveNames.ts';

describe('the names within an archive', () => {
  test.each([
    ['are the original ones', ['a.pdf', 'b.pdf'], ['a.pdf', 'b.pdf']],
    [
      'may be of any script',
      ['Übung 1.pdf', '宿題.pdf', 'واجب.pdf'],
      ['Übung 1.pdf', '宿題.pdf', 'واجب.pdf'],
    ],
    ['are numbered where they are equal', ['a.pdf', 'a.pdf', 'a.pdf'], ['a.pdf', 'a (2).pdf', 'a (3).pdf']],
    ['are numbered without an extension as well', ['notes', 'notes'], ['notes', 'notes (2)']],
    ['differ in more than case', ['A.pdf', 'a.PDF', 'a.pdf'], ['A.pdf', 'a (2).PDF', 'a (3).pdf']],
    [
      'differ in more than how an accent is composed',
      ['\u00e9.pdf', 'e\u0301.pdf'],
      ['\u00e9.pdf', 'e\u0301 (2).pdf'],
    ],
    [
      'pass over a number that is an original name',
      ['a.pdf', 'a (2).pdf', 'a.pdf'],
      ['a.pdf', 'a (2).pdf', 'a (3).pdf'],
    ],
    [
      'stay different where a number meets an original name',
      ['a.pdf', 'a.pdf', 'a (2).pdf'],
      ['a.pdf', 'a (2).pdf', 'a (2) (2).pdf'],
    ],
    ['have no path', ['../../etc/passwd', '/root/a.pdf', 'C:\\b.pdf'], ['passwd', 'a.pdf', 'b.pdf']],
    ['are never a path by themselves', ['..', '.', ''], ['file.pdf', 'file (2).pdf', 'file (3).pdf']],
    ['have no drive and no stream', ['C:a.pdf', 'a.pdf:b'], ['C_a.pdf', 'a.pdf_b']],
    ['have nothing that Windows refuses', ['What? <1> "x" | *.pdf'], ['What_ _1_ _x_ _ _.pdf']],
    ['end neither with a dot nor with a space', ['a.pdf. .', 'a.pdf'], ['a.pdf', 'a (2).pdf']],
    ['have no control and no direction characters', ['a\u0000\n\u202Efdp.exe'], ['afdp.exe']],
    [
      'are no devices',
      ['CON', 'nul.pdf', 'Com1.tar.pdf', 'lpt¹.pdf', 'aux .pdf'],
      ['_CON', '_nul.pdf', '_Com1.tar.pdf', '_lpt¹.pdf', '_aux .pdf'],
    ],
    ['may begin like a device', ['control.pdf', 'com10.pdf'], ['control.pdf', 'com10.pdf']],
  ])('%s', (_, originals, expected) => {
    expect(archiveNames(originals)).toEqual(expected);
  });

  test('fit into what a file system takes, with extension and number', () => {
    const long = `${'課'.repeat(190)}.pdf`;
    const [first = '', second = ''] = archiveNames([long, long]);
    expect(Buffer.byteLength(first)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255);
    expect(first).toMatch(/^課+\.pdf$/);
    expect(second).toMatch(/^課+ \(2\)\.pdf$/);
  });
});

describe('names that come one by one', () => {
  test('stand behind their prefix, numbered, and give way to it', () => {
    const nameOf = createArchiveNames('Ada (7) - ', 30);
    expect(['a.pdf', 'A.pdf', `${'x'.repeat(190)}.pdf`].map(nameOf)).toEqual([
      ...['Ada (7) - a.pdf', 'Ada (7) - A (2).pdf', `Ada (7) - ${'x'.repeat(16)}.pdf`],
    ]);
  });

  test('may stand in a folder that is named by a title of any kind', () => {
    expect(archiveFolder('a/b\\c: d.', ' (3)', 80)).toBe('a_b_c_ d (3)');
    expect(archiveFolder('..', ' (3)', 80)).toBe('_ (3)');
    expect(archiveFolder('宿'.repeat(100), ' (3)', 20)).toBe(`${'宿'.repeat(5)} (3)`);
  });
});
