import createBidi from 'bidi-js';
import type { FontFace, ShapedGlyph, Weight } from './fontFace.ts';
import type { FontSet } from './fontSet.ts';
import { graphemeBreaks, lineBreaks } from './lineBreaks.ts';

/** Text without line breaks, with the fonts, directions and widths of its characters. */
export interface Paragraph {
  text: string;
  faces: FontFace[];
  /** Bidirectional level of each UTF-16 code unit; odd means right to left. */
  levels: Uint8Array;
  isRightToLeft: boolean;
  /** Width of the text before each UTF-16 code unit, in multiples of the font size. */
  widthBefore: Float64Array;
  /** Possible line ends, from `lineBreaks`. */
  breaks: number[];
}

/** Part of a paragraph. `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

// Its types declare a default export, but the CommonJS module is the function itself.
const bidi = (createBidi as unknown as typeof createBidi.default)();

export function analyze(fonts: FontSet, text: string, weight: Weight): Paragraph {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  const faces = fonts.facesOf(text, weight);
  const paragraph: Paragraph = {
    text,
    faces,
    levels,
    isRightToLeft: (paragraphs[0]?.level ?? 0) % 2 === 1,
    widthBefore: new Float64Array(text.length + 1),
    breaks: lineBreaks(text),
  };
  for (const run of runsOf(paragraph, { start: 0, end: text.length }))
    for (const { index, advance } of shapeRun(paragraph, run)) {
      const at = run.start + index + 1;
      paragraph.widthBefore[at] = (paragraph.widthBefore[at] ?? 0) + advance;
    }
  for (let at = 1; at <= text.length; at += 1)
    paragraph.widthBefore[at] = (paragraph.widthBefore[at] ?? 0) + (paragraph.widthBefore[at - 1] ?? 0);
  return paragraph;
}

/** Splits a span into runs of one font and one direction, in text order. */
export function runsOf({ faces, levels }: Paragraph, { start, end }: Span): Span[] {
  const runs: Span[] = [];
  for (let at = start; at < end; at += 1) {
    const run = runs.at(-1);
    if (run && faces[at] === faces[run.start] && levels[at] === levels[run.start]) run.end = at + 1;
    else runs.push({ start: at, end: at + 1 });
  }
  return runs;
}

export function shapeRun({ text, faces, levels }: Paragraph, { start, end }: Span): ShapedGlyph[] {
  return faces[start]?.shape(text.slice(start, end), (levels[start] ?? 0) % 2 === 1) ?? [];
}

/** Breaks a paragraph into lines without trailing spaces. `width` is in multiples of the font size. */
export function* breakLines(paragraph: Paragraph, width: number): Generator<Span> {
  const { text, widthBefore, breaks } = paragraph;
  const widthOf = (start: number, end: number) => {
    const trimmed = start + text.slice(start, end).trimEnd().length;
    return (widthBefore[trimmed] ?? 0) - (widthBefore[start] ?? 0);
  };
  const trim = (start: number, end: number): Span => ({
    start,
    end: start + text.slice(start, end).trimEnd().length,
  });
  let start = 0;
  let fits = 0;
  for (const end of breaks) {
    if (widthOf(start, end) > width && fits > start) {
      yield trim(start, fits);
      start = fits;
    }
    // A word that is longer than a line breaks between characters.
    if (widthOf(start, end) > width)
      for (const length of graphemeBreaks(text.slice(start, end)).map((index) => start + index)) {
        if (widthOf(start, length) > width && fits > start) {
          yield trim(start, fits);
          start = fits;
        }
        fits = length;
      }
    fits = end;
  }
  yield trim(start, text.length);
}

/** Rule L2 of the Unicode bidirectional algorithm, for runs. */
export function inVisualOrder(runs: Span[], levels: Uint8Array): Span[] {
  const levelOf = (run: Span) => levels[run.start] ?? 0;
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(levelOf));
  for (let level = highest; level > 0; level -= 1)
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while (end < ordered.length && levelOf(ordered[end] as Span) >= level) end += 1;
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end - 1);
    }
  return ordered;
}
