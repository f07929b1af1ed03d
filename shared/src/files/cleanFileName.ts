const maxLength = 200;

/**
 * Sanitizes the file name of an upload: keeps letters of any script, removes the path, control characters and
 * bidirectional controls. At most 200 characters; `file.pdf` when nothing remains.
 */
export function cleanFileName(name: string): string {
  const base = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const visible = base.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').trim();
  const short = [...visible].slice(0, maxLength).join('');
  return short === '' || /^\.+$/.test(short) ? 'file.pdf' : short;
}
