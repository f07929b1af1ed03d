const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

// Scripts written without spaces. Intl.Segmenter knows their words.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const opening = /^[\p{Ps}\p{Pi}]/u;
const breakAfter = /[\s\u00ad\u2010-\u2014-]$/u;
const closing = /^[\p{Po}\p{Pe}\p{Pf}\p{M}\p{Cf}]/u;

/** Returns the indices at which a line may end, in order. The last is the end of the paragraph. */
export function lineBreaks(paragraph: string): number[] {
  const breaks: number[] = [];
  let before = '';
  for (const { segment, index } of words.segment(paragraph)) {
    if (index > 0 && mayBreak(before, segment)) breaks.push(index);
    before = segment;
  }
  breaks.push(paragraph.length);
  return breaks;
}

function mayBreak(before: string, after: string): boolean {
  if (/^\s/u.test(after) || closing.test(after) || opening.test(before)) return false;
  return breakAfter.test(before) || unspaced.test(before) || unspaced.test(after);
}

/** Returns the end of each user-perceived character, for text too long for a line. */
export const graphemeBreaks = (text: string): number[] =>
  [...graphemes.segment(text)].map(({ segment, index }) => index + segment.length);
