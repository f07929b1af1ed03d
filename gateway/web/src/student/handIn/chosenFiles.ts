interface NamedFile {
  name: string;
  type: string;
  size: number;
}

export type Chosen<T extends NamedFile> =
  | { are: 'pdfs'; files: T[] }
  | { are: 'photos'; files: T[] }
  /** The files cannot be handed in; `because` explains why, in English. */
  | { are: 'wrong'; because: string };

const photoName = /\.(jpe?g|png|heic|heif|webp|gif|bmp|tiff?|avif)$/i;

const isPdf = ({ name, type }: NamedFile) =>
  type === 'application/pdf' || (!type.startsWith('image/') && /\.pdf$/i.test(name));
const isPhoto = ({ name, type }: NamedFile) => type.startsWith('image/') || photoName.test(name);

/** Classifies the chosen files. */
export function chosenFiles<T extends NamedFile>(files: T[], maxPdfs: number): Chosen<T> {
  if (files.some(({ size }) => size === 0)) return { are: 'wrong', because: 'A file is empty.' };
  if (files.every(isPdf)) {
    if (files.length <= maxPdfs) return { are: 'pdfs', files };
    return { are: 'wrong', because: maxPdfs === 1 ? 'Choose one PDF.' : 'Choose up to ten PDFs.' };
  }
  if (files.every((file) => isPhoto(file) && !isPdf(file))) return { are: 'photos', files };
  return {
    are: 'wrong',
    because: files.some(isPdf) ? 'Choose a PDF or photos, not both.' : 'Choose a PDF or photos.',
  };
}
