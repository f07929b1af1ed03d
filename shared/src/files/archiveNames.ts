import { cleanName } from './receiveForm.ts';

// What a file system takes as one name: 255 bytes on Linux, 255 UTF-16 units on Windows and macOS, which are fewer.
const longestBytes = 255;
const longestExtension = 20;

// Windows reserves these, whatever follows the first dot.
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

/**
 * The names of files within an archive, in their order (D22): the original ones, made such that every system can
 * unpack them beside each other. Of equal names, also in upper and lower case, the later ones are numbered.
 */
export function archiveNames(originals: string[]): string[] {
  const nameOf = createArchiveNames();
  return originals.map((original) => nameOf(original));
}

/**
 * The same for files that come one by one. `prefix` stands before the name; where both are longer than so many bytes,
 * it is the name that is cut, but not its extension.
 */
export function createArchiveNames(prefix = '', longest = longestBytes): (original: string) => string {
  const taken = new Set<string>();
  return (original) => {
    const [stem, extension] = split(prefix === '' ? safeName(original) : prefix + safeName(original));
    let name = fit(stem, extension, longest);
    for (let number = 2; taken.has(sameFile(name)); number += 1)
      name = fit(stem, ` (${number})${extension}`, longest);
    taken.add(sameFile(name));
    return name;
  };
}

/** A title or a person's name as the name of a folder, or the beginning of a name, of at most so many bytes. */
export const archiveFolder = (text: string, ending: string, longest: number): string =>
  fit(safeName(text.replace(/[/\\]/g, '_').replace(/^[. ]*$/, '_')), ending, longest);

// Windows knows no name with these characters, or with a dot or a space at its end; unpackers write `_` for them.
function safeName(original: string): string {
  const name = cleanName(original)
    .replace(/[<>:"|?*]/g, '_')
    .replace(/[. ]+$/, '');
  return deviceName.test(name) ? `_${name}` : name;
}

function split(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf('.');
  return dot < 1 || name.length - dot > longestExtension ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
}

function fit(stem: string, ending: string, longest: number): string {
  const room = longest - Buffer.byteLength(ending);
  const characters = [...stem];
  while (Buffer.byteLength(characters.join('')) > room) characters.pop();
  return characters.join('') + ending;
}

// File systems that ignore case, and those that ignore how an accent is composed.
const sameFile = (name: string): string => name.normalize('NFC').toUpperCase();
