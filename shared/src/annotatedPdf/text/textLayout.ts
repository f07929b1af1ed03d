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

/** Consecutive glyphs of one font at their default positions. */
export interface GlyphRun {
  face: FontFace;
  /** In points. */
  size: number;
  /** Position of the first glyph, relative to the origin of the text. */
  x: number;
  y: number;
  /** Glyph numbers in the PDF. */
  numbers: number[];
}

/** Text with resolved scripts, directions and widths. */
export interface AnalyzedText {
  paragraphs: Paragraph[];
  ellipsis: Paragraph;
}

interface TextStyle {
  size: number;
  /** In multiples of the font size. */
  lineHeight: number;
  /** Width available for a line. */
  width: number;
}

/** Text broken into lines. */
export interface BrokenText extends TextStyle {
  lines: { paragraph: Paragraph; span: Span }[];
  /** Width of the longest line. */
  longest: number;
  height: number;
}

/** Positioned text. The origin is the upper left corner. */
export interface TextBlock {
  runs: GlyphRun[];
  width: number;
  height: number;
}

interface Placement {
  /** Further lines are cut, and the last line ends with an ellipsis. */
  maxLines?: number;
  /**
   * `start` aligns lines to the left of the given width, or to the right in right-to-left paragraphs. `hug` does the
   * same within the width of the longest line. `right` aligns all lines to the right.
   */
  align?: 'start' | 'hug' | 'right';
}

// Distance of the baseline from the top of a line, in line heights.
const baseline = 0.72;
// Glyphs are positioned individually if their default positions would be off by more than this, in points.
const tolerance = 0.01;

// More marks on one character than any language uses; they would run off the page. Eight are kept, which leaves joined
// emoji intact.
const towers = /([\p{M}\p{Cf}]{8})[\p{M}\p{Cf}]+/gu;

/** Reduces text to drawable characters: composed, without control characters except line breaks. */
export const drawable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029\v\f\u0085]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(towers, '$1');

/** The fonts must have been prepared for the drawable text and for `…`. */
export const analyzeText = (fonts: FontSet, text: string, weight: Weight = 400): AnalyzedText => ({
  paragraphs: drawable(text)
    .split('\n')
    .map((each) => analyze(fonts, each, weight)),
  ellipsis: analyze(fonts, '…', weight),
});

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

/** Positions the glyphs of broken text. Each line is in visual order. */
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
  // Default position of the next glyph in the current run.
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
  // Shrinks a full line to make room for the ellipsis.
  const scale = width / line.width;
  line.runs = line.runs.map((run) => ({ ...run, x: run.x * scale, size: run.size * scale }));
  line.width = width;
}
