/** How a photo is encoded as a page. */
export interface Quality {
  /** The maximum number of pixels. */
  pixels: number;
  /** JPEG quality from 0 to 1. */
  jpeg: number;
}

/** From the best (190 dpi on A4) down to one at which handwriting is barely legible. */
export const qualities: readonly Quality[] = [
  { pixels: 3_400_000, jpeg: 0.8 },
  { pixels: 2_500_000, jpeg: 0.72 },
  { pixels: 1_800_000, jpeg: 0.66 },
  { pixels: 1_200_000, jpeg: 0.6 },
  { pixels: 700_000, jpeg: 0.5 },
];

/** Below the default limit of a school, 25 MiB. */
const maxFileBytes = 20_000_000;
/** A larger page is not easier to read, only slower to send. */
const maxPageBytes = 1_500_000;

/** Returns the maximum size in bytes of each page of a photo, given the number of photos and of this photo's pages. */
export const pageBudget = (photos: number, pages: number): number =>
  Math.min(maxPageBytes, Math.floor(maxFileBytes / photos / pages));

/**
 * Returns the size of a page in pixels, at most the size of the photo. Limits the area, so that long images stay
 * legible.
 */
export function pixelSize(width: number, height: number, { pixels }: Quality) {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const a4 = { short: 595.28, long: 841.89 };

/** Returns the size of a page in points: the photo's aspect ratio, as large as fits on A4. */
export function pageSize(width: number, height: number) {
  const [across, down] = width > height ? [a4.long, a4.short] : [a4.short, a4.long];
  const scale = Math.min(across / width, down / height);
  return { width: width * scale, height: height * scale };
}

/** Encodes with the best quality that fits, or with the lowest even if it does not. */
export async function encodeWithin<T extends { size: number }>(
  budget: number,
  encode: (quality: Quality) => Promise<T>,
): Promise<T> {
  let page: T | undefined;
  for (const quality of qualities) {
    page = await encode(quality);
    if (page.size <= budget) return page;
  }
  if (!page) throw new Error('There is no quality to encode with');
  return page;
}
