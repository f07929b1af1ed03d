const maxLength = 200;

// Control characters, line separators and direction controls.
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

// Device names that Windows reserves, with any extension.
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

/**
 * Removes characters that a file or folder name must not contain, start with or end with. Can return an empty string.
 */
export function cleanName(text: string): string {
  const visible = text.toWellFormed().replace(invisible, '').normalize('NFC');
  const name = visible.replace(/^[\s.]+|[\s.]+$/g, '');
  return deviceName.test(name) ? `_${name}` : name;
}

/**
 * Returns the name under which an uploaded PDF is stored, served and archived (D55): the client's name without its
 * path, in any script, safe on every operating system. It always ends in `.pdf`, because under another extension the
 * content might be run as a program.
 */
export function cleanFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return cutInMiddle(splitPdfName(cleanName(base) || 'file').join(''));
}

/** Returns the name for a file's copy with the grader's marks. */
export const annotatedFileName = (name: string): string =>
  cleanFileName(`${splitPdfName(name)[0]} (annotated).pdf`);

/** Splits a name into stem and ending. The ending is `.pdf` if the name has none. */
export function splitPdfName(name: string): [stem: string, ending: string] {
  const ending = /\.pdf$/i.exec(name)?.[0];
  return ending ? [name.slice(0, -ending.length), ending] : [name, '.pdf'];
}

function cutInMiddle(name: string): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const kept = maxLength - 1;
  const start = characters.slice(0, Math.ceil(kept / 2));
  return [...start, '…', ...characters.slice(-Math.floor(kept / 2))].join('');
}
