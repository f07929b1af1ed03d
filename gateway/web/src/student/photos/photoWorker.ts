import type { PDFDocument } from '@cantoo/pdf-lib';
import { remaining, uncropped } from './crop.ts';
import { encodeWithin, pageSize, pixelSize, type Quality } from './pageQuality.ts';
import type { PageSettings, PhotoAnswer, PhotoTask, Preview } from './photoMessages.ts';

const previewQuality: Quality = { longSide: 1000, jpeg: 0.8 };

let pages: PDFDocument | undefined;

/**
 * Draws a photo upright, turned and cut. Only one photo is open at a time, and only as long as it is drawn: a photo of a phone
 * needs fifty megabytes.
 */
function draw(photo: ImageBitmap, { turn, crop, isGray }: PageSettings, quality: Quality): OffscreenCanvas {
  const isAcross = turn % 180 !== 0;
  const [turnedWidth, turnedHeight] = isAcross ? [photo.height, photo.width] : [photo.width, photo.height];
  const cut = remaining(crop, turnedWidth, turnedHeight);
  const { width, height } = pixelSize(cut.width, cut.height, quality);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no photos here');
  // Transparent parts of a picture are drawn as white paper.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.scale(width / cut.width, height / cut.height);
  context.translate(turnedWidth / 2 - cut.x, turnedHeight / 2 - cut.y);
  context.rotate((turn * Math.PI) / 180);
  context.drawImage(photo, -photo.width / 2, -photo.height / 2);
  if (isGray) makeGray(context, width, height);
  return canvas;
}

/** By hand: not all browsers have filters here. */
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

async function encoded(photo: ImageBitmap, settings: PageSettings, quality: Quality) {
  const canvas = draw(photo, settings, quality);
  const { width, height } = canvas;
  const picture = await canvas.convertToBlob({ type: 'image/jpeg', quality: quality.jpeg });
  canvas.width = 0;
  return { picture, size: picture.size, width, height };
}

/** Opens a photo upright, as its EXIF data say, and closes it again. */
async function withPhoto<T>(file: File, work: (photo: ImageBitmap) => Promise<T>): Promise<T> {
  const photo = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    return await work(photo);
  } finally {
    photo.close();
  }
}

const preview = (file: File, turn: PageSettings['turn']): Promise<Preview> =>
  withPhoto(file, (photo) => encoded(photo, { turn, crop: uncropped, isGray: false }, previewQuality));

async function addPage(file: File, settings: PageSettings, budget: number): Promise<void> {
  const document = pages;
  if (!document) throw new Error('No document was begun');
  const { picture, width, height } = await withPhoto(file, (photo) =>
    encodeWithin(budget, (quality) => encoded(photo, settings, quality)),
  );
  const image = await document.embedJpg(await picture.arrayBuffer());
  const size = pageSize(width, height);
  document.addPage([size.width, size.height]).drawImage(image, { x: 0, y: 0, ...size });
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
    case 'page':
      await addPage(task.file, task.settings, task.budget);
      return null;
    case 'finish':
      return finish(task.title);
  }
}

// One after the other.
let last: Promise<unknown> = Promise.resolve();

self.onmessage = ({ data: { id, task } }: MessageEvent<{ id: number; task: PhotoTask }>) => {
  last = last
    .then(() => perform(task))
    .then(
      (result) => ({ id, result }),
      (error) => ({ id, error: String(error) }),
    )
    .then((answer: PhotoAnswer) => self.postMessage(answer));
};
