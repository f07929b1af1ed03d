/** The part to crop on each side, as shares of the width or height. */
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
/** This much of a photo always remains. */
const least = 0.1;

/** Moves one side of the frame; the opposite side stays where it is. */
export function moveSide(crop: Crop, side: Side, to: number): Crop {
  const most = 1 - least - crop[opposite[side]];
  return { ...crop, [side]: Math.min(Math.max(to, 0), most) };
}

/** The frame after the photo was turned by a quarter, clockwise. */
export const turnCrop = ({ top, right, bottom, left }: Crop): Crop => ({
  top: left,
  right: top,
  bottom: right,
  left: bottom,
});

export const turnFurther = (turn: Turn): Turn => ((turn + 90) % 360) as Turn;

/** The rectangle that remains of a picture, in its pixels. */
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

/** Shows only the rest of a picture, as a CSS value. */
export const clipOf = ({ top, right, bottom, left }: Crop): string =>
  `inset(${[top, right, bottom, left].map((share) => `${share * 100}%`).join(' ')})`;
