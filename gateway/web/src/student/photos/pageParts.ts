interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The maximum aspect ratio of a page or a phone's screen. A longer image is a scrolling screenshot. */
const maxAspectRatio = 2.5;
const a4 = Math.SQRT2;
/**
 * The overlap of two adjacent parts as a fraction of their length: a line cut off in one part is complete in the
 * other.
 */
const overlap = 0.05;

/** Splits an image into pages, from its top or left: one page, or several for a long screenshot. */
export function pageParts({ x, y, width, height }: Area): Area[] {
  const [length, across] = [Math.max(width, height), Math.min(width, height)];
  if (length <= maxAspectRatio * across) return [{ x, y, width, height }];
  const whole = Math.min(length, Math.round(a4 * across));
  const count = Math.max(2, Math.ceil((length - whole) / (whole * (1 - overlap)) + 1));
  const step = (length - whole) / (count - 1);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.round(index * step);
    return height > width
      ? { x, y: y + from, width, height: whole }
      : { x: x + from, y, width: whole, height };
  });
}
