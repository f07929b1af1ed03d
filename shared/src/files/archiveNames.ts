import { cleanFileName, cleanName, splitPdfName } from './cleanFileName.ts';

// Max length of a file name: 255 bytes, the limit on Linux. The limit of Windows and macOS, 255 UTF-16 code units, is
// never lower.
const maxNameBytes = 255;

/**
 * Names PDFs within a ZIP archive (D22, D55), in the order of `originals`. Changes the original names only as needed
 * for every operating system to extract them into one folder. Numbers duplicates, ignoring case.
 */
export function archiveNames(originals: string[]): string[] {
  const nameOf = createArchiveNames();
  return originals.map((original) => nameOf(original));
}

/**
 * Returns a function that names one file at a time, like {@link archiveNames}. `prefix` is prepended to each name.
 * Names longer than `maxBytes` are shortened, but keep their prefix and ending.
 */
export function createArchiveNames(prefix = '', maxBytes = maxNameBytes): (original: string) => string {
  const taken = new Set<string>();
  return (original) => {
    const [stem, ending] = splitPdfName(prefix + withoutForbidden(cleanFileName(original)));
    let name = fit(stem, ending, maxBytes);
    for (let number = 2; taken.has(caseFolded(name)); number += 1)
      name = fit(stem, ` (${number})${ending}`, maxBytes);
    taken.add(caseFolded(name));
    return name;
  };
}

/**
 * Converts a title or a person's name to a folder name, or the start of one, of at most `maxBytes` including `ending`.
 */
export const archiveFolder = (text: string, ending: string, maxBytes: number): string =>
  fit(withoutForbidden(cleanName(text)) || '_', ending, maxBytes);

// Windows does not allow these characters.
const withoutForbidden = (name: string): string => name.replace(/[<>:"|?*/\\]/g, '_');

function fit(stem: string, ending: string, maxBytes: number): string {
  const room = maxBytes - Buffer.byteLength(ending);
  const characters = [...stem];
  while (Buffer.byteLength(characters.join('')) > room) characters.pop();
  return characters.join('') + ending;
}

// Some file systems ignore case.
const caseFolded = (name: string): string => name.toUpperCase();
