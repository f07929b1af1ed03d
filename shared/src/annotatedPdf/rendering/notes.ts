import type { FontSet } from '../text/fontSet.ts';
import { type AnalyzedText, analyzeText, breakText, placeText, type TextBlock } from '../text/textLayout.ts';
import { type Box, combine, type Frame, translate, within } from './geometry.ts';
import { palette, readable } from './palette.ts';
import { rectangle, roundedRectangle, type Shape } from './shapes.ts';

interface Note {
  frame: Frame;
  /** The visible area of the page, in frame coordinates. */
  room: Box;
  color: string;
  /** Whether the frame is the text's own box; otherwise the text goes beside it. */
  isItsBox: boolean;
  /** Width of the content that is already beside the mark. */
  beside: number | undefined;
}

const largestText = 11;
const smallestText = 7;
const textSizes = [largestText, 10, 9, 8, smallestText];
const lineHeight = 1.35;
const padding = 5;
const bar = 2;
const gap = 6;
const noteWidth = 170;
const narrowest = 60;
// Distance from the edge of the page.
const margin = 6;

/** Draws text on a white card: in its box if it fits, and never outside the visible area of the page. */
export function drawNote(fonts: FontSet, text: string, note: Note): Shape[] {
  const { frame, room, color } = note;
  const widest = Math.max(narrowest, room.right - room.left - 2 * margin);
  const tallest = Math.max(smallestText, room.top - room.bottom - 2 * margin);
  const [width, height] = note.isItsBox ? [frame.width, frame.height] : [0, 0];
  const block = fit(analyzeText(fonts, text), {
    width: within(width < narrowest ? noteWidth : width, 0, widest) - bar - 2 * padding,
    height: (height < largestText ? tallest : height) - 2 * padding,
    widest: widest - bar - 2 * padding,
    tallest: tallest - 2 * padding,
  });
  const card = {
    width: Math.min(widest, block.width + bar + 2 * padding),
    height: Math.min(tallest, block.height + 2 * padding),
  };
  const [x, top] = note.isItsBox ? [0, frame.height] : placeBeside(note, card);
  const left = within(x, room.left + margin, room.right - margin - card.width);
  const bottom = within(top - card.height, room.bottom + margin, room.top - margin - card.height);
  return drawCard(block, { left, bottom, right: left + card.width, top: bottom + card.height }, frame, color);
}

/** Places the card to the right of the mark, or below it if there is not enough room. Returns the upper left corner. */
function placeBeside({ frame, room, beside }: Note, card: { width: number; height: number }) {
  const right = frame.width + gap + (beside ?? 0);
  if (right + card.width <= room.right - margin) return [right, (frame.height + card.height) / 2] as const;
  return [0, -gap] as const;
}

/** Picks the largest text size that fits. If none fits, uses the smallest and cuts the text at the end of the page. */
function fit(
  text: AnalyzedText,
  { width, height, widest, tallest }: { width: number; height: number; widest: number; tallest: number },
): TextBlock {
  for (const limits of [
    { width, height },
    { width: Math.max(width, Math.min(widest, noteWidth)), height: tallest },
    { width: widest, height: tallest },
  ])
    for (const size of textSizes) {
      const broken = breakText(text, { size, lineHeight, width: limits.width });
      if (broken.height <= limits.height && broken.longest <= limits.width)
        return placeText(text, broken, { align: 'hug' });
    }
  const broken = breakText(text, { size: smallestText, lineHeight, width: widest });
  const maxLines = Math.max(1, Math.floor(tallest / (smallestText * lineHeight)));
  return placeText(text, broken, { align: 'hug', maxLines });
}

function drawCard(block: TextBlock, card: Box, frame: Frame, color: string): Shape[] {
  const { toPage } = frame;
  return [
    {
      kind: 'path',
      steps: roundedRectangle(card, 3),
      fill: { color: palette.paper, opacity: 0.9 },
      matrix: toPage,
    },
    { kind: 'path', steps: rectangle({ ...card, right: card.left + bar }), fill: { color }, matrix: toPage },
    {
      kind: 'text',
      runs: block.runs,
      paint: { color: readable(color) },
      matrix: combine(toPage, translate(card.left + bar + padding, card.top - padding)),
    },
  ];
}

/** Draws points in a pill beside the mark. If the pill is the mark itself, centres it in the frame. */
export function drawBadge(
  fonts: FontSet,
  points: string,
  frame: Frame,
  room: Box,
  color: string,
  kind: string,
): { shapes: Shape[]; width: number } {
  const analyzed = analyzeText(fonts, points, 600);
  const broken = breakText(analyzed, { size: 10, lineHeight: 1.2, width: noteWidth });
  const text = placeText(analyzed, broken, { align: 'hug' });
  const [width, height] = [Math.max(text.width + 12, 22), text.height + 4];
  const isMark = kind === 'point';
  const x = isMark ? (frame.width - width) / 2 : frame.width + gap;
  const left = within(x, room.left + margin, room.right - margin - width);
  const bottom = within((frame.height - height) / 2, room.bottom + margin, room.top - margin - height);
  const pill = { left, bottom, right: left + width, top: bottom + height };
  const shapes: Shape[] = [
    { kind: 'path', steps: roundedRectangle(pill, height / 2), fill: { color }, matrix: frame.toPage },
    {
      kind: 'text',
      runs: text.runs,
      paint: { color: palette.paper },
      matrix: combine(frame.toPage, translate(left + (width - text.width) / 2, pill.top - 2)),
    },
  ];
  return { shapes, width: isMark ? (width - frame.width) / 2 : width + gap };
}
