import type { Weight } from '../text/fontFace.ts';
import type { FontSet } from '../text/fontSet.ts';
import { analyzeText, breakText, placeText } from '../text/textLayout.ts';
import { combine, identity, type Matrix, translate } from './geometry.ts';
import { palette } from './palette.ts';
import { circle, line, type PathStep, rectangle, roundedRectangle, type Shape } from './shapes.ts';

/** A page of A4 width. It is taller than A4 if its content is. */
export interface SummaryPage {
  width: number;
  height: number;
  shapes: Shape[];
}

const pageWidth = 595.28;
const pageHeight = 841.89;
// PDF's max page height. A taller summary is scaled down, because it is always a single last page.
const largestHeight = 14_400;
const margin = 68;
const columnWidth = pageWidth - 2 * margin;

interface Style {
  size: number;
  weight?: Weight;
  lineHeight?: number;
  color?: string;
  left?: number;
  /** Free space on the right. */
  right?: number;
  align?: 'start' | 'right';
}

/** Stacks shapes vertically on a page. */
export class Column {
  readonly #fonts: FontSet;
  readonly #shapes: Shape[] = [];
  #y = 0;

  constructor(fonts: FontSet) {
    this.#fonts = fonts;
  }

  space(height: number): void {
    this.#y -= height;
  }

  heading(text: string): void {
    this.space(34);
    this.#path(rectangle({ left: 0, bottom: -0.75, right: columnWidth, top: 0 }), palette.line);
    this.space(20);
    this.text(text, { size: 13, weight: 600 });
    this.space(10);
  }

  text(text: string, style: Style): void {
    this.space(this.beside(text, style));
  }

  /** Draws text without moving to the next line. Returns its height. */
  beside(
    text: string,
    { size, weight, lineHeight = 1.45, color = palette.ink, left = 0, right = 0, align = 'start' }: Style,
  ) {
    const analyzed = analyzeText(this.#fonts, text, weight);
    const broken = breakText(analyzed, { size, lineHeight, width: columnWidth - left - right });
    const { runs, height } = placeText(analyzed, broken, { align });
    this.#shapes.push({ kind: 'text', runs, paint: { color }, matrix: translate(left, this.#y) });
    return height;
  }

  measure(text: string, { size, weight }: Pick<Style, 'size' | 'weight'>): number {
    const broken = breakText(analyzeText(this.#fonts, text, weight), {
      size,
      lineHeight: 1,
      width: columnWidth,
    });
    return broken.longest;
  }

  /** Draws a bar that is filled up to `part`, from 0 to 1. */
  bar(part: number): void {
    const height = 4;
    const whole = { left: 0, bottom: this.#y - height, right: columnWidth, top: this.#y };
    const filled = columnWidth * Math.max(0, Math.min(1, part));
    this.#shapes.push(filledShape(roundedRectangle(whole, height / 2), palette.line));
    if (filled >= height)
      this.#shapes.push(
        filledShape(roundedRectangle({ ...whole, right: filled }, height / 2), palette.accent),
      );
    this.space(height);
  }

  /** Draws a circle with a tick before the next line. */
  tick(): void {
    const [x, y, radius] = [6.5, this.#y - 8.2, 6] as const;
    this.#shapes.push(filledShape(circle(x, y, radius), palette.accent));
    const steps = line([x - 2.8, y - 0.2], [x - 0.8, y - 2.3], [x + 2.9, y + 2.2]);
    this.#shapes.push({
      kind: 'path',
      steps,
      stroke: { color: palette.paper, width: 1.3 },
      matrix: identity,
    });
  }

  #path(steps: PathStep[], color: string): void {
    this.#shapes.push({ ...filledShape(steps, color), matrix: translate(0, this.#y) });
  }

  finish(): SummaryPage {
    const height = Math.max(pageHeight, 2 * margin - this.#y);
    const scale = Math.min(1, largestHeight / height);
    const top: Matrix = [scale, 0, 0, scale, scale * margin, scale * (height - margin)];
    const shapes = this.#shapes.map((shape) => ({ ...shape, matrix: combine(top, shape.matrix) }));
    return { width: scale * pageWidth, height: scale * height, shapes };
  }
}

const filledShape = (steps: PathStep[], color: string): Shape => ({
  kind: 'path',
  steps,
  fill: { color },
  matrix: identity,
});
