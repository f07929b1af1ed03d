const maxLength = 200;

// Controls, line separators and direction controls.
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

// Device names that Windows reserves, with any extension.
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

/** Removes from a text what no file or folder name may contain or begin and end with. Empty when nothing remains. */
export function cleanName(text: string): string {
  const visible = text.toWellFormed().replace(invisible, '').normalize('NFC');
  const name = visible.replace(/^[\s.]+|[\s.]+$/g, '');
  return deviceName.test(name) ? `_${name}` : name;
}

/**
 * The name under which an uploaded PDF is stored, served and archived (D55): the client's without its path, in any script, and
 * harmless on every operating system. It ends in `.pdf`, because its content may be a program under another extension.
 */
export function cleanFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return cutInMiddle(splitPdfName(cleanName(base) || 'file').join(''));
}

/** The name of the copy of a file with the grader's marks. */
export const annotatedFileName = (name: string): string =>
  cleanFileName(`${splitPdfName(name)[0]} (annotated).pdf`);

/** The name without its ending, and the ending, which is `.pdf` where there is none. */
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
