import type { FontFace, ShapedGlyph, Weight } from './fontFace.ts';
import type { FontSet } from './fontSet.ts';
import {
  analyze,
  breakLines,
  inVisualOrder,
  type Paragraph,
  runsOf,
  type Span,
  shapeRun,
} from './paragraph.ts';

/** Glyphs of one font that the PDF places by itself, one after another. */
export interface GlyphRun {
  face: FontFace;
  /** In points. */
  size: number;
  /** Where the first glyph begins, relative to the origin of the text. */
  x: number;
  y: number;
  /** The numbers of the glyphs in the PDF. */
  numbers: number[];
}

/** Text whose scripts, directions and widths are known. */
export interface AnalyzedText {
  paragraphs: Paragraph[];
  ellipsis: Paragraph;
}

interface TextStyle {
  size: number;
  /** In sizes. */
  lineHeight: number;
  /** Of a line. */
  width: number;
}

/** Text broken into lines. */
export interface BrokenText extends TextStyle {
  lines: { paragraph: Paragraph; span: Span }[];
  /** Of the longest line. */
  longest: number;
  height: number;
}

/** Text in lines. Its origin is its upper left corner. */
export interface TextBlock {
  runs: GlyphRun[];
  width: number;
  height: number;
}

interface Placement {
  /** The rest is cut, and an ellipsis ends the last line. */
  maxLines?: number;
  /**
   * Where lines begin: `start` is the left of the given width, but for a paragraph from right to left its right; `hug` is the
   * same within the longest line; `right` is the right for all.
   */
  align?: 'start' | 'hug' | 'right';
}

// Where the baseline is in a line, in line heights from its top.
const baseline = 0.72;
// Glyphs are placed individually where the PDF's own positions would deviate by more than this, in points.
const tolerance = 0.01;

// More marks on one character than any language has; they would leave the page. Emoji have as many that join them.
const towers = /([\p{M}\p{Cf}]{8})[\p{M}\p{Cf}]+/gu;

/** Characters that can be drawn: composed, and without control characters but line ends. */
export const drawable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029\v\f\u0085]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(towers, '$1');

/** The fonts were prepared for the drawable text and for `…`. */
export const analyzeText = (fonts: FontSet, text: string, weight: Weight = 400): AnalyzedText => ({
  paragraphs: drawable(text)
    .split('\n')
    .map((each) => analyze(fonts, each, weight)),
  ellipsis: analyze(fonts, '…', weight),
});

/** Breaks text into lines. */
export function breakText({ paragraphs }: AnalyzedText, style: TextStyle): BrokenText {
  const { size, lineHeight, width } = style;
  const lines = paragraphs.flatMap((paragraph) =>
    [...breakLines(paragraph, width / size)].map((span) => ({ paragraph, span })),
  );
  let longest = 0;
  for (const { paragraph, span } of lines) longest = Math.max(longest, widthOf(paragraph, span) * size);
  return { ...style, lines, longest, height: lines.length * size * lineHeight };
}

const widthOf = ({ widthBefore }: Paragraph, { start, end }: Span): number =>
  (widthBefore[end] ?? 0) - (widthBefore[start] ?? 0);

/** Places the glyphs of broken text, each line in the order in which its scripts are read. */
export function placeText(
  { ellipsis }: AnalyzedText,
  { lines, size, lineHeight, width, longest }: BrokenText,
  { maxLines = Number.POSITIVE_INFINITY, align = 'start' }: Placement = {},
): TextBlock {
  const room = align === 'hug' ? Math.min(longest, width) : width;
  const block: TextBlock = {
    runs: [],
    width: room,
    height: Math.min(lines.length, maxLines) * size * lineHeight,
  };
  for (const [index, { paragraph, span }] of lines.slice(0, maxLines).entries()) {
    const line = placeSpan(paragraph, span, size);
    const isCut = index === maxLines - 1 && lines.length > maxLines;
    if (isCut)
      addEllipsis(line, placeSpan(ellipsis, { start: 0, end: 1 }, size), paragraph.isRightToLeft, width);
    const x = align === 'right' || paragraph.isRightToLeft ? room - line.width : 0;
    const y = -size * lineHeight * (index + baseline);
    for (const run of line.runs) block.runs.push({ ...run, x: run.x + x, y: run.y + y });
  }
  return block;
}

interface PlacedLine {
  runs: GlyphRun[];
  width: number;
}

function placeSpan(paragraph: Paragraph, span: Span, size: number): PlacedLine {
  const line: PlacedLine = { runs: [], width: 0 };
  for (const run of inVisualOrder(runsOf(paragraph, span), paragraph.levels)) {
    const face = paragraph.faces[run.start];
    if (face) addGlyphs(line, face, shapeRun(paragraph, run), size);
  }
  return line;
}

function addGlyphs(line: PlacedLine, face: FontFace, glyphs: ShapedGlyph[], size: number): void {
  // Where the PDF itself would place the next glyph of the current run.
  let next: number | undefined;
  for (const glyph of glyphs) {
    const [x, y] = [line.width + glyph.dx * size, glyph.dy * size];
    const current = line.runs.at(-1);
    if (current && next !== undefined && Math.abs(next - x) < tolerance && y === current.y)
      current.numbers.push(face.numberOf(glyph));
    else line.runs.push({ face, size, x, y, numbers: [face.numberOf(glyph)] });
    next = x + face.advanceOf(glyph.glyph) * size;
    line.width += glyph.advance * size;
  }
}

function addEllipsis(line: PlacedLine, ellipsis: PlacedLine, isRightToLeft: boolean, width: number): void {
  const [first, second] = isRightToLeft ? [ellipsis, line] : [line, ellipsis];
  const moved = second.runs.map((run) => ({ ...run, x: run.x + first.width }));
  line.runs = [...first.runs, ...moved];
  line.width += ellipsis.width;
  if (line.width <= width) return;
  // A full line is narrowed a little.
  const scale = width / line.width;
  line.runs = line.runs.map((run) => ({ ...run, x: run.x * scale, size: run.size * scale }));
  line.width = width;
}
