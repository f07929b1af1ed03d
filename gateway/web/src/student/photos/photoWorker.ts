import type { PDFDocument } from '@cantoo/pdf-lib';
import { remaining, uncropped } from './crop.ts';
import { openPhoto } from './openPhoto.ts';
import { pageParts } from './pageParts.ts';
import { encodeWithin, pageBudget, pageSize, pixelSize, type Quality } from './pageQuality.ts';
import type { PageSettings, PhotoResponse, PhotoTask, Preview } from './photoMessages.ts';

const previewQuality: Quality = { pixels: 750_000, jpeg: 0.8 };

type Area = ReturnType<typeof remaining>;

let pages: PDFDocument | undefined;

/** Returns the size of a rotated photo. */
const turnedSize = ({ width, height }: ImageBitmap, turn: PageSettings['turn']) =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width };

/**
 * Draws a part of a photo, upright and rotated. Only one photo is open at a time, and only while it is drawn: a phone's
 * photo takes 50 MB.
 */
function draw(
  photo: ImageBitmap,
  cut: Area,
  { turn, isGray }: PageSettings,
  quality: Quality,
): OffscreenCanvas {
  const whole = turnedSize(photo, turn);
  const { width, height } = pixelSize(cut.width, cut.height, quality);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw photos in a worker');
  // Transparent parts of an image become white, like paper.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.scale(width / cut.width, height / cut.height);
  context.translate(whole.width / 2 - cut.x, whole.height / 2 - cut.y);
  context.rotate((turn * Math.PI) / 180);
  context.drawImage(photo, -photo.width / 2, -photo.height / 2);
  if (isGray) makeGray(context, width, height);
  return canvas;
}

/** Converts the pixels directly, because not all browsers support canvas filters in workers. */
function makeGray(context: OffscreenCanvasRenderingContext2D, width: number, height: number): void {
  const picture = context.getImageData(0, 0, width, height);
  const { data } = picture;
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    const gray = 0.299 * red + 0.587 * green + 0.114 * blue;
    data[at] = gray;
    data[at + 1] = gray;
    data[at + 2] = gray;
  }
  context.putImageData(picture, 0, 0);
}

async function encoded(photo: ImageBitmap, cut: Area, settings: PageSettings, quality: Quality) {
  const canvas = draw(photo, cut, settings, quality);
  const { width, height } = canvas;
  const picture = await canvas.convertToBlob({ type: 'image/jpeg', quality: quality.jpeg });
  canvas.width = 0;
  return { picture, size: picture.size, width, height };
}

/** Opens a photo, passes it on with the rectangle that remains after cropping, and closes it. */
async function withPhoto<T>(
  file: File,
  { turn, crop }: Pick<PageSettings, 'turn' | 'crop'>,
  work: (photo: ImageBitmap, cut: Area) => Promise<T>,
): Promise<T> {
  const photo = await openPhoto(file);
  try {
    const { width, height } = turnedSize(photo, turn);
    return await work(photo, remaining(crop, width, height));
  } finally {
    photo.close();
  }
}

function preview(file: File, turn: PageSettings['turn']): Promise<Preview> {
  const settings = { turn, crop: uncropped, isGray: false };
  return withPhoto(file, settings, (photo, cut) => encoded(photo, cut, settings, previewQuality));
}

async function addPhoto(file: File, settings: PageSettings, photos: number): Promise<void> {
  const document = pages;
  if (!document) throw new Error('No document was begun');
  await withPhoto(file, settings, async (photo, cut) => {
    const parts = pageParts(cut);
    for (const part of parts) {
      const { picture, width, height } = await encodeWithin(pageBudget(photos, parts.length), (quality) =>
        encoded(photo, part, settings, quality),
      );
      const image = await document.embedJpg(await picture.arrayBuffer());
      const size = pageSize(width, height);
      document.addPage([size.width, size.height]).drawImage(image, { x: 0, y: 0, ...size });
    }
  });
}

async function finish(title: string): Promise<Blob> {
  if (!pages) throw new Error('No document was begun');
  pages.setTitle(title);
  pages.setCreator('Gradeway');
  pages.setProducer('Gradeway');
  const bytes = await pages.save();
  pages = undefined;
  return new Blob([bytes as BlobPart], { type: 'application/pdf' });
}

async function perform(task: PhotoTask): Promise<Preview | Blob | null> {
  switch (task.do) {
    case 'preview': {
      const { picture, width, height } = await preview(task.file, task.turn);
      return { picture, width, height };
    }
    case 'begin':
      pages = await (await import('@cantoo/pdf-lib')).PDFDocument.create();
      return null;
    case 'photo':
      await addPhoto(task.file, task.settings, task.photos);
      return null;
    case 'finish':
      return finish(task.title);
  }
}

// Tasks run sequentially.
let last: Promise<unknown> = Promise.resolve();

self.onmessage = ({ data: { id, task } }: MessageEvent<{ id: number; task: PhotoTask }>) => {
  last = last
    .then(() => perform(task))
    .then(
      (result) => ({ id, result }),
      (error) => ({ id, error: String(error) }),
    )
    .then((answer: PhotoResponse) => self.postMessage(answer));
};
