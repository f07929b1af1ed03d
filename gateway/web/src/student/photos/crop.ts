/** The part to crop on each side, as a fraction of the width or height. */
export interface Crop {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export type Side = keyof Crop;
export type Turn = 0 | 90 | 180 | 270;

export const uncropped: Crop = { top: 0, right: 0, bottom: 0, left: 0 };

const opposite: Record<Side, Side> = { top: 'bottom', right: 'left', bottom: 'top', left: 'right' };
/** The minimum fraction that remains of a photo. */
const minSide = 0.1;

/** Moves one edge of the frame. The opposite edge stays in place. */
export function moveSide(crop: Crop, side: Side, to: number): Crop {
  const max = 1 - minSide - crop[opposite[side]];
  return { ...crop, [side]: Math.min(Math.max(to, 0), max) };
}

/** Returns the frame after a clockwise quarter turn of the photo. */
export const turnCrop = ({ top, right, bottom, left }: Crop): Crop => ({
  top: left,
  right: top,
  bottom: right,
  left: bottom,
});

export const turnFurther = (turn: Turn): Turn => ((turn + 90) % 360) as Turn;

/** Returns the remaining rectangle of an image, in pixels. */
export function remaining(crop: Crop, width: number, height: number) {
  const x = Math.round(crop.left * width);
  const y = Math.round(crop.top * height);
  return {
    x,
    y,
    width: Math.max(1, Math.round((1 - crop.right) * width) - x),
    height: Math.max(1, Math.round((1 - crop.bottom) * height) - y),
  };
}

/** Returns the CSS value that hides the cropped parts of an image. */
export const clipOf = ({ top, right, bottom, left }: Crop): string =>
  `inset(${[top, right, bottom, left].map((share) => `${share * 100}%`).join(' ')})`;
