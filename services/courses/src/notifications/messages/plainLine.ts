// Line breaks and other control characters could end a header, and direction overrides could make a title read as something else.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** Text from a person as a single line of at most `most` characters. */
export function plainLine(text: string, most: number): string {
  const line = [...text.toWellFormed().replace(unsafe, ' ').replace(/\s+/g, ' ').trim()];
  return line.length <= most ? line.join('') : `${line.slice(0, most - 1).join('')}…`;
}
