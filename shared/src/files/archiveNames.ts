import { cleanFileName } from './cleanFileName.ts';

// Maximum length of a file name: 255 bytes on Linux. Windows and macOS allow 255 UTF-16 units, which is never less.
const maxNameBytes = 255;
const maxExtensionLength = 20;

// Device names that Windows reserves, with any extension.
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

/**
 * Names of files within a ZIP archive (D22), in the order of `originals`: the original names, changed where needed so
 * that every operating system can extract them into one folder. Duplicates, ignoring case, are numbered.
 */
export function archiveNames(originals: string[]): string[] {
  const nameOf = createArchiveNames();
  return originals.map((original) => nameOf(original));
}

/**
 * Returns a function that names one file after another, as {@link archiveNames} does. `prefix` is prepended to each name.
 * A name longer than `maxBytes` is shortened; prefix and extension are kept.
 */
export function createArchiveNames(prefix = '', maxBytes = maxNameBytes): (original: string) => string {
  const taken = new Set<string>();
  return (original) => {
    const [stem, extension] = split(prefix === '' ? safeName(original) : prefix + safeName(original));
    let name = fit(stem, extension, maxBytes);
    for (let number = 2; taken.has(caseFolded(name)); number += 1)
      name = fit(stem, ` (${number})${extension}`, maxBytes);
    taken.add(caseFolded(name));
    return name;
  };
}

/** Converts a title or a person's name to a folder name, or the start of one, of at most `maxBytes` with `ending`. */
export const archiveFolder = (text: string, ending: string, maxBytes: number): string =>
  fit(safeName(text.replace(/[/\\]/g, '_').replace(/^[. ]*$/, '_')), ending, maxBytes);

// Windows allows neither these characters nor a trailing dot or space.
function safeName(original: string): string {
  const name = cleanFileName(original)
    .replace(/[<>:"|?*]/g, '_')
    .replace(/[. ]+$/, '');
  return deviceName.test(name) ? `_${name}` : name;
}

function split(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf('.');
  return dot < 1 || name.length - dot > maxExtensionLength
    ? [name, '']
    : [name.slice(0, dot), name.slice(dot)];
}

function fit(stem: string, ending: string, maxBytes: number): string {
  const room = maxBytes - Buffer.byteLength(ending);
  const characters = [...stem];
  while (Buffer.byteLength(characters.join('')) > room) characters.pop();
  return characters.join('') + ending;
}

// Some file systems ignore case and Unicode normalization.
const caseFolded = (name: string): string => name.normalize('NFC').toUpperCase();
