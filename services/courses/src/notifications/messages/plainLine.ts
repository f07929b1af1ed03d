// Line breaks and other control characters could end a header.
const breaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
// A direction override could disguise a title.
const directions = /\p{Bidi_Control}/gu;

/** User input as a single line of at most `most` characters. */
export function plainLine(text: string, most: number): string {
  const line = [...text.toWellFormed().replace(directions, '').replace(breaks, ' ').trim()];
  return line.length <= most ? line.join('') : `${line.slice(0, most - 1).join('')}…`;
}
