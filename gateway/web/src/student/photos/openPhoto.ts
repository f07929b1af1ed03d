/** Opens a photo upright, according to its EXIF data. */
export async function openPhoto(file: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch (error) {
    // Safari decodes the HEIF photos of iPhones itself; other browsers do not.
    if (!(await isHeif(file))) throw error;
    return createImageBitmap(await decodeHeif(file));
  }
}

/** Checks the content, because file pickers rename files. The first box is "ftyp", which names the format. */
async function isHeif(file: File): Promise<boolean> {
  const start = new TextDecoder('latin1').decode(await file.slice(4, 12).arrayBuffer());
  return /^ftyp(he[ivx]|mif1|msf1)/.test(start);
}

/** Decodes the primary image of a file, upright. The decoder is loaded on demand. */
async function decodeHeif(file: File): Promise<ImageData> {
  const { default: startDecoder } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  const { HeifDecoder } = await startDecoder();
  const decoder = new HeifDecoder();
  const [photo, ...others] = decoder.decode(new Uint8Array(await file.arrayBuffer()));
  try {
    if (!photo) throw new Error('The file has no photo');
    const picture = new ImageData(photo.get_width(), photo.get_height());
    await new Promise<void>((resolve, reject) =>
      photo.display(picture, (shown) => (shown ? resolve() : reject(new Error('The photo is damaged')))),
    );
    return picture;
  } finally {
    for (const each of [photo, ...others]) each?.free();
  }
}
