/** How a photo is stored as a page. */
export interface Quality {
  /** The largest number of pixels. */
  pixels: number;
  /** Of the JPEG, from 0 to 1. */
  jpeg: number;
}

/** From the best, which is 190 dots an inch on A4, to one in which handwriting can just be read. */
export const qualities: readonly Quality[] = [
  { pixels: 3_400_000, jpeg: 0.8 },
  { pixels: 2_500_000, jpeg: 0.72 },
  { pixels: 1_800_000, jpeg: 0.66 },
  { pixels: 1_200_000, jpeg: 0.6 },
  { pixels: 700_000, jpeg: 0.5 },
];

/** Below the 25 MiB that a school accepts, unless it says otherwise. */
const largestFile = 20_000_000;
/** More does not make a page easier to read, only slower to send. */
const largestPage = 1_500_000;

/** The bytes that each page may have, of one of so many photos that becomes so many pages. */
export const pageBudget = (photos: number, pages: number): number =>
  Math.min(largestPage, Math.floor(largestFile / photos / pages));

/** The size of a page in pixels, never larger than the photo. It bounds the area, so that long pictures stay legible. */
export function pixelSize(width: number, height: number, { pixels }: Quality) {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const a4 = { short: 595.28, long: 841.89 };

/** The size of a page in points: with the shape of the photo, as large as A4 permits. */
export function pageSize(width: number, height: number) {
  const [across, down] = width > height ? [a4.long, a4.short] : [a4.short, a4.long];
  const scale = Math.min(across / width, down / height);
  return { width: width * scale, height: height * scale };
}

/** Encodes with the best quality that fits; the lowest is taken in any case. */
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
